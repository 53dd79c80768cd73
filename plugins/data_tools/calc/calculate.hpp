// The calculator as a function: from the tool's input to its answer, without the host.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "calc/expression.hpp"

namespace data_tools::calc {

inline constexpr int default_precision = 10;
inline constexpr int max_precision = 1000;

struct Question {
    std::string expression;
    int precision = default_precision;  // significant digits of decimal results
    bool scientific = false;
    bool force_numeric = false;
    Variables variables = {};
    std::function<bool()> cancelled = {};
};

struct Answer {
    std::string result;
    std::string numeric;  // the decimal value of an exact result, or ""
    std::string kind;     // integer, rational, real, complex, symbolic, infinite
};

struct Refusal {
    enum class Why { bad_expression, no_value, cancelled } why;
    std::string message;
};

// Either an answer, or a refusal that says what to change.
std::variant<Answer, Refusal> evaluate(const Question& question);

}  // namespace data_tools::calc
