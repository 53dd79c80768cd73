// Estimates the cost of an expression before it is evaluated: 9^9^9^9 and 10^9! are short to write,
// but their values do not fit into any machine.
#pragma once

#include <limits>

#include "calc/expression.hpp"

namespace data_tools::calc {

// Maximum number of digits of an exact number, in a result or an intermediate value.
inline constexpr double max_exact_digits = 10000;

struct Traits {
    bool decimal = false;    // contains a decimal number: the result should be decimal
    bool rational = true;    // only + - * / and small whole powers: exact fractions are cheap
    bool symbolic = false;   // has unknowns
    bool infinite = false;   // contains infinity itself
    int symbolic_power = 0;  // largest power of anything but a plain number
};

// Additional limits of a mode.
struct CostRules {
    bool fractions = false;  // decimals are always computed as fractions
    double max_degree = std::numeric_limits<double>::infinity();  // of the unknowns
};

Traits traits_of(const Node& root);

// A failure names the operation that would be too large. Takes time linear in the tree.
Outcome<Traits> check_cost(const Node& root, const CostRules& rules = {});

}  // namespace data_tools::calc
