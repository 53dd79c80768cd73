#include "calc/evaluate.hpp"

#include <algorithm>

#include "calc/cost.hpp"
#include "calc/decimal.hpp"
#include "calc/engine.hpp"
#include "calc/giac_text.hpp"
#include "calc/present.hpp"

namespace data_tools::calc {
namespace {

// Simplifying multiplies out powers of sums; above this the result would not be simple anyway.
constexpr int max_simplified_power = 12;
constexpr std::size_t max_simplified_nodes = 200;

Refusal no_value(const EngineValue& value) {
    if (value.kind == ValueKind::undefined) {
        return {Refusal::Why::no_value,
                "undefined: the expression has no value (such as 0/0, 0^0 or inf - inf)"};
    }
    if (!value.signed_infinity) {
        return {Refusal::Why::no_value,
                "division by zero, or a pole such as tan(pi/2): no finite value"};
    }
    return {Refusal::Why::no_value, "no finite value: the result is " + value.exact};
}

std::variant<Answer, Refusal> present(const EngineValue& value, const Question& question,
                                      const Traits& traits, bool numeric) {
    if (value.kind == ValueKind::undefined) return no_value(value);
    if (value.kind == ValueKind::infinite) {
        if (!traits.infinite) return no_value(value);
        return Answer{.result = value.exact, .numeric = "", .kind = "infinite"};
    }
    if (has_infinite_number(value)) {
        if (numeric) return Refusal{Refusal::Why::no_value, "too large for a decimal number"};
        return Answer{read_from_giac(value.exact), "", name_of(value.kind)};
    }
    const std::string decimal = decimal_text(value, question.precision, question.scientific);
    if (decimal.empty()) {
        const std::string text = read_from_giac(value.exact);
        return Answer{format_decimals_in(text, question.precision, question.scientific), "",
                      name_of(value.kind)};
    }
    if (numeric) return Answer{decimal, "", value.imaginary.empty() ? "real" : "complex"};
    const std::string exact = read_from_giac(value.exact);
    // An integer needs no decimal value beside it; 1/3 or sqrt(2) do.
    const bool same = value.kind == ValueKind::integer && !question.scientific;
    return Answer{exact, same ? "" : decimal, name_of(value.kind)};
}

}  // namespace

std::variant<Answer, Refusal> evaluate(const Question& question) {
    const auto tree = parse_expression(question.expression, question.variables);
    if (!tree) return Refusal{Refusal::Why::bad_expression, tree.error()};
    const auto traits = check_cost(**tree);
    if (!traits) return Refusal{Refusal::Why::bad_expression, traits.error()};
    // 0.1 + 0.2 is 0.3: decimals are computed as fractions if that is cheap.
    const auto text = write_for_giac(**tree, traits->rational);
    if (!text) return Refusal{Refusal::Why::bad_expression, text.error()};

    const bool numeric = question.force_numeric || question.scientific || traits->decimal;
    const EngineAnswer answer = evaluate_with_giac(
        {.text = *text,
         .digits = digits_for(question.precision),
         .numeric = numeric,
         .simplify = !numeric && traits->symbolic_power <= max_simplified_power &&
                     (*tree)->size <= max_simplified_nodes,
         .cancelled = question.cancelled,
         .limit = time_limit});
    if (answer.stopped) {
        const bool cancelled = answer.stop.why == EngineStop::Why::cancelled;
        return Refusal{cancelled ? Refusal::Why::cancelled : Refusal::Why::no_value,
                       answer.stop.message};
    }
    return present(answer.value, question, *traits, numeric);
}

}  // namespace data_tools::calc
