// Translates expressions to giac's language, and giac's results back.
#pragma once

#include <string>

#include "calc/expression.hpp"

namespace data_tools::calc {

inline constexpr std::size_t max_giac_bytes = 200000;

// `fractions` writes decimal numbers as exact fractions (0.1 as 1/10) instead of floating point.
Outcome<std::string> write_for_giac(const Node& root, bool fractions);

// The name of an unknown in giac's language.
std::string giac_name(const std::string& unknown);

// Restores the names of unknowns; exp(1) becomes e.
std::string read_from_giac(std::string text);

}  // namespace data_tools::calc
