// The calculator as a function from the tool's input to its answer, independent of the host.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "calc/expression.hpp"

namespace data_tools::calc {

inline constexpr int default_precision = 10;
inline constexpr int max_precision = 1000;
inline constexpr int max_order = 100;
inline constexpr std::chrono::milliseconds time_limit(10000);

enum class Mode { evaluate, solve, derive, integrate, limit, series, matrix };

// Finds a mode by its name; evaluate if unknown.
Mode mode_of(std::string_view name);

struct Question {
    std::string expression;
    Mode mode = Mode::evaluate;
    int precision = default_precision;  // significant digits of decimal results
    bool scientific = false;
    bool force_numeric = false;
    Variables variables = {};
    std::optional<std::string> wrt = {};    // unknowns, separated by commas
    std::optional<std::string> point = {};  // of a limit or series; the two bounds of an integral
    std::optional<int> order = {};          // of a derivative or series
    std::function<bool()> cancelled = {};
};

struct Answer {
    std::string result;
    std::string numeric;  // the decimal value of an exact result, or ""
    // integer, rational, real, complex, symbolic, infinite; matrix, values; solutions,
    // no_solution, infinitely_many
    std::string kind;
    std::string wrt = {};                                            // the unknowns that were used
    std::vector<std::map<std::string, std::string>> solutions = {};  // by unknown
    std::vector<std::vector<std::string>> rows = {};                 // of a matrix
    std::vector<std::string> values = {};                            // of eigenvalues
    std::vector<std::string> notes = {};                             // remarks on the result
};

struct Refusal {
    enum class Why { bad_expression, no_value, cancelled } why;
    std::string message;
    std::string field = "/expression";  // if invalid: the field to fix
};

// Returns an answer, or a refusal that says what to change.
std::variant<Answer, Refusal> calculate(const Question& question);

}  // namespace data_tools::calc
