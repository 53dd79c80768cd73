// The words of the calculator. Nothing outside these tables reaches giac, whose own language can
// read files, run programs and loop for ever.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_tools::calc {

// How the range of a function depends on its argument; used by cost.cpp.
enum class Growth {
    unit,         // into [-1, 1]: sin, cos, tanh, erf
    small,        // at most slightly larger than its argument: sqrt, ln, floor, atan
    grows,        // like exp
    pole,         // unbounded near some point: tan, sec
    factorial,    // as the factorial of its argument
    choose,       // binomials, permutations: as first-argument-many factors
    scale,        // round(x, n): as 10^n
    largest,      // as the largest of its arguments, or their product: max, gcd, lcm
    determinant,  // as a determinant of its arguments' entries
};

// How a function treats the shapes of its arguments; used by shape.cpp.
enum class Shaping {
    numbers,        // numbers to a number
    square_number,  // a square matrix to a number: det, trace
    any_number,     // a matrix to a number: rank, norm
    square_same,    // a square matrix to one of its size: inverse
    any_same,       // a matrix to one of its size: rref
    transposed,
    dot,         // two vectors of one length to a number
    cross,       // two vectors of three to such a vector
    equations,   // solve(A, b)
    identity,    // a whole number to a matrix
    eigenvalues  // a square matrix to a list, which cannot be used further
};

// The words and signs that a text may contain; see expression.hpp.
enum class Language { arithmetic, equations, matrices };

struct Function {
    std::string_view name;
    int least, most;        // number of arguments; most 0: any
    std::string_view text;  // in giac's language: $1, $2 are the arguments, $* all of them
    Growth growth;
    bool rational;  // rational arguments give a rational result
    Shaping shaping = Shaping::numbers;
};

struct Constant {
    std::string_view name;
    std::string_view text;  // in giac's language
    double value;           // infinity for infinities, NaN for the imaginary unit
};

// Finds a function by name and number of arguments; nullptr if unknown. `log` has two entries.
const Function* find_function(std::string_view name, int arguments,
                              Language language = Language::arithmetic);
bool is_function(std::string_view name, Language language = Language::arithmetic);
// "1", "1 or 2", "at least 1"
std::string argument_counts(std::string_view name);

const Constant* find_constant(std::string_view name);

// Whether the name may be an unknown in the result: one Latin letter, optionally with a number
// (x1), or the name of a Greek letter.
bool is_symbol(std::string_view name);

// All words of a language, for suggestions.
const std::vector<std::string>& known_words(Language language = Language::arithmetic);

}  // namespace data_tools::calc
