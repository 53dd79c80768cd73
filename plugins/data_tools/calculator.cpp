#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "calc/calculate.hpp"
#include "tools.hpp"

namespace data_tools {
namespace {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::Max;
using toolhost::MaxLength;
using toolhost::MaxProperties;
using toolhost::Min;
using toolhost::MinLength;

// Integers come first, so that they stay exact.
using Number = std::variant<std::int64_t, double, std::string>;

struct Input {
    Field<
        std::string,
        "What to evaluate: numbers, + - * / % ^ (or **), !, parentheses, functions such as "
        "sqrt(x), ln(x), log(x, base), sin(x), floor(x), gcd(a, b), the constants pi, e, i, inf, "
        "and names from `variables`. A single letter or Greek name without a value stays unknown. "
        "Angles are in radians; log(x) is the natural logarithm.",
        MinLength<1>, MaxLength<4096>,
        Keyword<"examples", R"(["2*(3+4)^2", "sqrt(8) + 1", "1/3"])">>
        expression;
    Field<toolhost::Literal<"evaluate">, "What to do with the expression."> mode = "evaluate";
    Field<int, "Significant digits of decimal results.", Min<1>, Max<1000>> precision =
        calc::default_precision;
    Field<bool, "Write the result as a decimal number in scientific notation, as 1.5e+3.">
        scientific = false;
    Field<bool, "Give a decimal number also where the exact result is a fraction, a root or pi.">
        force_numeric = false;
    Field<std::map<std::string, Number>,
          "Values of names in the expression: numbers, or expressions as text.", MaxProperties<100>,
          Keyword<"examples", R"([{"r": 2.5, "n": 12, "half": "1/2"}])">>
        variables = toolhost::empty;
};

struct Output {
    Field<std::string, "The expression, as given."> expression;
    Field<std::string, "The result: exact, or decimal where decimals were given or asked for.">
        result;
    Field<std::string, "integer, rational, real, complex, symbolic or infinite."> kind;
    Field<std::optional<std::string>, "The decimal value of a result that is exact but no integer.">
        numeric;
};

std::string text_of(const Number& number) {
    const nlohmann::json value = toolhost::write_json(number);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

toolhost::Reply calculate(const Input& in, toolhost::Context& context) {
    calc::Question question{.expression = in.expression,
                            .precision = in.precision,
                            .scientific = in.scientific,
                            .force_numeric = in.force_numeric,
                            .cancelled = [&context] { return context.cancelled(); }};
    for (const auto& [name, number] : in.variables) question.variables[name] = text_of(number);

    const auto outcome = calc::evaluate(question);
    if (const auto* refusal = std::get_if<calc::Refusal>(&outcome)) {
        using Why = calc::Refusal::Why;
        if (refusal->why == Why::cancelled) throw toolhost::Cancelled{};
        if (refusal->why == Why::bad_expression) {
            throw toolhost::BadInput("/expression", refusal->message);
        }
        context.fail("tool_failed", refusal->message);
    }
    const auto& answer = std::get<calc::Answer>(outcome);
    Output out;
    out.expression = in.expression.get();
    out.result = answer.result;
    out.kind = answer.kind;
    std::string text = "Result: " + answer.result;
    if (!answer.numeric.empty()) {
        out.numeric = std::optional(answer.numeric);
        text += " (about " + answer.numeric + ")";
    }
    return toolhost::Reply().text(text).json(out);
}

}  // namespace

toolhost::Tool calculator() {
    return toolhost::tool<calculate>(
               "calculator",
               "Evaluates a mathematical expression, exactly where that is possible: 1/3 stays "
               "1/3, "
               "sqrt(8) is 2*sqrt(2), 100! has all its digits, 0.1 + 0.2 is 0.3. Use it for any "
               "arithmetic whose result matters, for more digits than a float has, and for roots, "
               "logarithms, trigonometry, complex numbers and combinatorics. Not for solving "
               "equations, derivatives, integrals, matrices, units, dates or statistics over data; "
               "it runs no code and has no assignments or lists.")
        .title("Calculator")
        .version("1.0.0")
        .category("compute")
        .needs({})
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"expression", "2 * (3 + 4)^2"}}, "Arithmetic: 98.")
        .example({{"expression", "1/3 + 1/6"}}, "Exact fractions: 1/2.")
        .example({{"expression", "pi * r^2"}, {"variables", {{"r", 2.5}}}},
                 "A formula with a value: 19.63495408.")
        .example({{"expression", "sqrt(2)"}, {"force_numeric", true}, {"precision", 30}},
                 "Thirty digits: 1.41421356237309504880168872421.");
}

}  // namespace data_tools
