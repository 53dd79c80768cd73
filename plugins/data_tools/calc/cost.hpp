// What evaluating an expression could cost, known before it is evaluated: 9^9^9^9 and 10^9! are
// short to write, and no machine could hold them.
#pragma once

#include <limits>

#include "calc/expression.hpp"

namespace data_tools::calc {

// An exact number may have about so many digits, in a result or on the way to it.
inline constexpr double max_exact_digits = 10000;

struct Traits {
    bool decimal = false;    // has a decimal number: the result is wanted as one
    bool rational = true;    // only + - * / and small whole powers: exact fractions are cheap
    bool symbolic = false;   // has unknowns
    bool infinite = false;   // speaks of infinity itself
    int symbolic_power = 0;  // the largest power of something that is not a plain number
};

// What a mode adds to the limits of arithmetic.
struct CostRules {
    bool fractions = false;  // decimals are always computed as fractions
    double max_degree = std::numeric_limits<double>::infinity();  // of the unknowns
};

Traits traits_of(const Node& root);

// A failure names the operation that would be too large. In time proportional to the tree.
Outcome<Traits> check_cost(const Node& root, const CostRules& rules = {});

}  // namespace data_tools::calc
