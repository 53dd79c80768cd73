// The shapes of matrix expressions: checks operations before giac evaluates them.
#pragma once

#include <string>

#include "calc/expression.hpp"

namespace data_tools::calc {

inline constexpr int max_matrix_side = 16;
inline constexpr int max_symbolic_side = 6;  // a determinant of unknowns has n! terms
inline constexpr int max_matrix_power = 1000;

struct Shape {
    enum class Kind { number, matrix, values } kind = Kind::number;
    int rows = 1, columns = 1;
};

// "a number", "a vector of 3", "a 2x3 matrix"
std::string name_of(const Shape& shape);

// The shape of the result. A failure names the invalid operation and its shapes.
Outcome<Shape> shape_of(const Node& root);

}  // namespace data_tools::calc
