// The words the calculator knows. Nothing outside these tables ever reaches giac, whose own
// language can read files, run programs and loop for ever.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_tools::calc {

// How a function bounds and grows its argument; what cost.cpp needs to know about it.
enum class Growth {
    unit,       // into [-1, 1]: sin, cos, tanh, erf
    small,      // no larger than its argument by more than a little: sqrt, ln, floor, atan
    grows,      // like exp
    pole,       // unbounded near some point: tan, sec
    factorial,  // as the factorial of its argument
    choose,     // binomials, permutations: as first-argument-many factors
    scale,      // round(x, n): as 10^n
    largest,    // as the largest of its arguments, or their product: max, gcd, lcm
};

struct Function {
    std::string_view name;
    int least, most;        // arguments; most 0: any number
    std::string_view text;  // for giac: $1, $2 are the arguments, $* all of them
    Growth growth;
    bool rational;  // rational arguments give a rational result
};

struct Constant {
    std::string_view name;
    std::string_view text;  // for giac
    double value;           // infinity for the infinities, NaN for the imaginary unit
};

// By name and number of arguments; nullptr if there is none. `log` has two entries.
const Function* find_function(std::string_view name, int arguments);
bool is_function(std::string_view name);
// "1", "1 or 2", "at least 1"
std::string argument_counts(std::string_view name);

const Constant* find_constant(std::string_view name);

// One Latin letter, or the name of a Greek one: stays as an unknown in the result.
bool is_symbol(std::string_view name);

// Every word there is, for suggestions.
const std::vector<std::string>& known_words();

}  // namespace data_tools::calc
