#include "calc/shape.hpp"

#include <cstdlib>

namespace data_tools::calc {
namespace {

// Thrown and caught in this file only, as in expression.cpp.
struct ShapeError {
    std::string why;
};

bool is_number(const Shape& shape) {
    return shape.kind == Shape::Kind::number;
}
bool same(const Shape& a, const Shape& b) {
    return a.kind == b.kind && a.rows == b.rows && a.columns == b.columns;
}
Shape matrix(int rows, int columns) {
    return {Shape::Kind::matrix, rows, columns};
}
bool is_vector(const Shape& shape) {
    return shape.kind == Shape::Kind::matrix && shape.columns == 1;
}

// Reads a whole number with an optional sign.
bool whole(const Node& node, int& value) {
    const Node& digits = node.kind == Kind::negate ? *node.args[0] : node;
    if (digits.kind != Kind::integer || digits.text.size() > 6) return false;
    value = std::atoi(digits.text.c_str());
    if (node.kind == Kind::negate) value = -value;
    return true;
}

bool has_unknowns(const Node& node) {
    if (node.kind == Kind::symbol) return true;
    for (const NodePtr& arg : node.args) {
        if (has_unknowns(*arg)) return true;
    }
    return false;
}

Shape shape(const Node& node);

int side(std::size_t count) {
    if (count > max_matrix_side) {
        throw ShapeError{"a matrix can have at most " + std::to_string(max_matrix_side) +
                         " rows and columns, not " + std::to_string(count)};
    }
    return static_cast<int>(count);
}

void want_number(const Node& entry) {
    const Shape s = shape(entry);
    if (!is_number(s)) throw ShapeError{"a matrix entry must be a number, not " + name_of(s)};
}

// [1,2,3] is a vector, which is a column; [[1,2],[3,4]] is a list of rows.
Shape list(const Node& node) {
    const int rows = side(node.args.size());
    if (node.args[0]->kind != Kind::list) {
        for (const NodePtr& entry : node.args) want_number(*entry);
        return matrix(rows, 1);
    }
    const std::size_t columns = node.args[0]->args.size();
    for (const NodePtr& row : node.args) {
        if (row->kind != Kind::list || row->args.size() != columns) {
            throw ShapeError{
                "every row of a matrix must have as many entries as the first, which has " +
                std::to_string(columns)};
        }
        for (const NodePtr& entry : row->args) want_number(*entry);
    }
    return matrix(rows, side(columns));
}

Shape product(const Shape& a, const Shape& b) {
    if (is_number(a)) return b;
    if (is_number(b)) return a;
    if (is_vector(a) && is_vector(b)) {
        throw ShapeError{"cannot multiply two vectors: use dot(a, b) or cross(a, b)"};
    }
    if (a.columns != b.rows) {
        throw ShapeError{"cannot multiply " + name_of(a) + " by " + name_of(b) + ": " +
                         std::to_string(a.columns) + " columns do not match " +
                         std::to_string(b.rows) + " rows"};
    }
    if (a.rows == 1 && b.columns == 1) return matrix(1, 1);
    return matrix(a.rows, b.columns);
}

Shape power(const Node& node, const Shape& base) {
    if (!is_number(shape(*node.args[1])))
        throw ShapeError{"an exponent must be a number, not a matrix"};
    if (is_number(base)) return base;
    int exponent = 0;
    if (base.rows != base.columns)
        throw ShapeError{"a power requires a square matrix, not " + name_of(base)};
    if (!whole(*node.args[1], exponent) || std::abs(exponent) > max_matrix_power) {
        throw ShapeError{"the exponent of a matrix must be a whole number of at most " +
                         std::to_string(max_matrix_power)};
    }
    return base;
}

Shape arithmetic(const Node& node) {
    const Shape a = shape(*node.args[0]);
    if (node.kind == Kind::power) return power(node, a);
    const Shape b = shape(*node.args[1]);
    switch (node.kind) {
        case Kind::multiply:
            return product(a, b);
        case Kind::divide:
            if (!is_number(b))
                throw ShapeError{"cannot divide by a matrix: multiply by inverse(A)"};
            return a;
        case Kind::add:
        case Kind::subtract:
            if (same(a, b)) return a;
            throw ShapeError{
                std::string(node.kind == Kind::add ? "cannot add " : "cannot subtract ") +
                name_of(a) + " and " + name_of(b) + ": their sizes differ"};
        default:
            if (is_number(a) && is_number(b)) return a;
            throw ShapeError{"% does not accept matrices"};
    }
}

Shape square(const Node& call, const Shape& s) {
    if (is_number(s) || s.rows != s.columns) {
        throw ShapeError{call.text + " requires a square matrix, not " + name_of(s)};
    }
    if (s.rows > max_symbolic_side && has_unknowns(call)) {
        throw ShapeError{call.text + " of a matrix with unknowns goes up to " +
                         std::to_string(max_symbolic_side) + "x" +
                         std::to_string(max_symbolic_side)};
    }
    return s;
}

Shape vectors(const Node& call, const Shape& a, const Shape& b, int length) {
    if (!is_vector(a) || !same(a, b) || (length != 0 && a.rows != length)) {
        throw ShapeError{call.text + " requires two vectors of " +
                         (length == 0 ? "equal length" : std::to_string(length)) + ", not " +
                         name_of(a) + " and " + name_of(b)};
    }
    return a;
}

Shape called(const Node& call) {
    std::vector<Shape> shapes;  // computed once each: shape() visits the whole subtree
    for (const NodePtr& arg : call.args) shapes.push_back(shape(*arg));
    const Shape a = shapes.front();
    const Shape b = shapes.back();
    const Shaping shaping = call.function->shaping;
    const bool matrices = shaping != Shaping::numbers && shaping != Shaping::identity;
    for (const Shape& s : shapes) {
        if (is_number(s) != matrices) continue;
        throw ShapeError{call.text + (matrices ? " requires a matrix, not a number"
                                               : " requires numbers, not matrices")};
    }
    int n = 0;
    switch (shaping) {
        case Shaping::numbers:
        case Shaping::any_number:
            return {};
        case Shaping::square_number:
            square(call, a);
            return {};
        case Shaping::square_same:
            return square(call, a);
        case Shaping::any_same:
            return a;
        case Shaping::transposed:
            return matrix(a.columns, a.rows);
        case Shaping::dot:
            vectors(call, a, b, 0);
            return {};
        case Shaping::cross:
            return vectors(call, a, b, 3);
        case Shaping::equations:
            square(call, a);
            if (a.rows == b.rows) return b;
            throw ShapeError{"solve(A, b) requires as many numbers in b as A has rows: " +
                             name_of(a) + " and " + name_of(b) + " do not match"};
        case Shaping::identity:
            if (whole(*call.args[0], n) && n >= 1 && n <= max_matrix_side) return matrix(n, n);
            throw ShapeError{"identity(n) requires a whole number from 1 to " +
                             std::to_string(max_matrix_side)};
        case Shaping::eigenvalues:
            return {Shape::Kind::values, square(call, a).rows, 1};
    }
    return {};
}

Shape shape_inside(const Node& node) {
    switch (node.kind) {
        case Kind::list:
            return list(node);
        case Kind::call:
            return called(node);
        case Kind::negate:
            return shape(*node.args[0]);
        case Kind::factorial:
            if (!is_number(shape(*node.args[0]))) throw ShapeError{"! does not accept matrices"};
            return {};
        case Kind::equation:
            throw ShapeError{"a matrix equation must have the form A*x = b, with one unknown x"};
        default:
            return node.args.empty() ? Shape{} : arithmetic(node);
    }
}

Shape shape(const Node& node) {
    const Shape s = shape_inside(node);
    if (s.kind == Shape::Kind::values) {
        throw ShapeError{node.text +
                         " returns a list, which cannot be part of an expression; call it alone"};
    }
    return s;
}

}  // namespace

std::string name_of(const Shape& shape) {
    if (is_number(shape)) return "a number";
    if (is_vector(shape)) return "a vector of " + std::to_string(shape.rows);
    return "a " + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + " matrix";
}

Outcome<Shape> shape_of(const Node& root) {
    try {
        return shape_inside(root);
    } catch (const ShapeError& e) {
        return Failure{e.why};
    }
}

}  // namespace data_tools::calc
