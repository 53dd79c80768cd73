// One question at work: what every mode needs on the way from text to answer. What cannot be
// answered is thrown as a Refusal; calculate() catches it, and nothing else sees it.
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

// A text of the question, parsed and found to be of bounded cost.
struct Term {
    NodePtr root;
    Traits traits;
    std::string text;  // for giac
};

// A value as people read it.
struct Shown {
    std::string result;
    std::string numeric;  // beside an exact result that is not an integer, or ""
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
    // Whether decimals are wanted; known once the expression is.
    bool numeric() const { return numeric_; }

    // The expression as a tree, and what giac is given of it: under the limits of algebra.
    NodePtr read(Language language) const;
    Term bounded(const NodePtr& root);
    Term expression(Language language) { return bounded(read(language)); }
    Term point(const std::string& text);

    // What giac makes of it. Throws what stops all work: cancelled, or no time left.
    EngineAnswer ask(const std::string& text, const AskFor& how = {});
    // The same, and a failure is a refusal.
    EngineValue need(const std::string& text, const AskFor& how = {});

    // Throws for what has no value. `digits` that are right, where that is fewer than asked for.
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

// The unknowns of an expression, in the order of the alphabet.
std::vector<std::string> unknowns_of(const Node& root);
bool mentions(const Node& root, const std::string& unknown);
bool mentions_imaginary_unit(const Node& root);

// The one unknown that a mode is about: `wrt`, else the only one, else x.
std::string one_unknown(const Question& question, const Node& root);
// The names in `wrt`; none without it.
std::vector<std::string> named_unknowns(const Question& question);

// Without what rounding, to so many digits, has left of a part that is 0, where the other is not.
EngineValue without_dust(EngineValue value, int precision);

std::string joined(const std::vector<std::string>& parts, const char* between);

}  // namespace data_tools::calc
