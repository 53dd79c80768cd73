// The evaluation of one question: common steps of all modes from text to answer. If there is no
// answer it throws a Refusal, which only calculate() catches.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "calc/calculate.hpp"
#include "calc/cost.hpp"
#include "calc/engine.hpp"

namespace data_tools::calc {

// The limits of the modes that do algebra: their cost grows faster than arithmetic's.
inline constexpr double max_algebra_degree = 100;
inline constexpr std::size_t max_algebra_nodes = 400;
inline constexpr std::size_t max_result_bytes = 100000;

// A text of the question, parsed and checked for its cost.
struct Term {
    NodePtr root;
    Traits traits;
    std::string text;  // in giac's language
};

// A value, formatted for people.
struct Shown {
    std::string result;
    std::string numeric;  // of an exact result that is not an integer, or ""
    std::string kind;
};

struct AskFor {
    bool simplify = true;
    bool lists = false;
    bool complex = false;
    std::chrono::milliseconds limit = time_limit;
};

class Work {
public:
    explicit Work(const Question& question);

    const Question& question() const { return question_; }
    // Whether the result should be decimal; known after the expression was read.
    bool numeric() const { return numeric_; }

    // Reads the expression as a tree, and its form for giac, within the limits of algebra.
    NodePtr read(Language language) const;
    Term bounded(const NodePtr& root);
    Term expression(Language language) { return bounded(read(language)); }
    Term point(const std::string& text);

    // Evaluates with giac. Throws what ends all work: cancellation or the timeout.
    EngineAnswer ask(const std::string& text, const AskFor& how = {});
    // The same, but throws a Refusal after a failure.
    EngineValue need(const std::string& text, const AskFor& how = {});

    // Throws if there is no value. `digits`: the number of correct digits, if fewer than requested.
    Shown show(const EngineValue& value, int digits = max_precision) const;

private:
    Term bounded_at(const NodePtr& root, const char* field);

    const Question& question_;
    std::chrono::steady_clock::time_point end_;
    bool numeric_;
};

[[noreturn]] void refuse(Refusal::Why why, std::string message, std::string field = "/expression");
// Refuses a result that is too long.
void check_length(const std::string& result);

// The unknowns of an expression, in alphabetical order.
std::vector<std::string> unknowns_of(const Node& root);
bool mentions(const Node& root, const std::string& unknown);
bool mentions_imaginary_unit(const Node& root);

// The unknown of a mode: `wrt`, else the only one, else x.
std::string one_unknown(const Question& question, const Node& root);
// The names in `wrt`; empty without it.
std::vector<std::string> named_unknowns(const Question& question);

// Removes parts that are only rounding errors at this number of digits.
EngineValue without_rounding_errors(EngineValue value, int precision);

std::string joined(const std::vector<std::string>& parts, const char* between);

}  // namespace data_tools::calc
