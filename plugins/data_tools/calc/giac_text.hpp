// Writes an expression in giac's language, and reads giac's answers back.
#pragma once

#include <string>

#include "calc/expression.hpp"

namespace data_tools::calc {

inline constexpr std::size_t max_giac_bytes = 200000;

// `fractions`: decimal numbers as exact fractions (0.1 as 1/10), not as floating-point ones.
Outcome<std::string> write_for_giac(const Node& root, bool fractions);

// The name under which an unknown travels.
std::string giac_name(const std::string& unknown);

// Unknowns get their names back, exp(1) is e.
std::string read_from_giac(std::string text);

}  // namespace data_tools::calc
