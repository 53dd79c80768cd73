#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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
        "What to compute: numbers, + - * / % ^ (or **), !, parentheses, functions such as "
        "sqrt(x), ln(x), log(x, base), sin(x), floor(x), gcd(a, b), the constants pi, e, i, inf, "
        "and names from `variables`. A letter (also x1) or a Greek name without a value stays "
        "unknown. Angles are in radians; log(x) is the natural logarithm. Mode solve takes "
        "equations: x^2 = 4, or several with commas; an expression alone is taken as = 0. Mode "
        "matrix takes [[1,2],[3,4]], vectors [1,2], + - * ^, A*x = b, and det, inverse, transpose, "
        "trace, rank, rref, eigenvalues, solve(A, b), dot, cross, norm, identity(n).",
        MinLength<1>, MaxLength<4096>,
        Keyword<"examples", R"(["2*(3+4)^2", "sqrt(8) + 1", "x + y = 3, x - y = 1"])">>
        expression;
    Field<
        toolhost::Literal<"evaluate", "solve", "derive", "integrate", "limit", "series", "matrix">,
        "evaluate: the value; solve: the solutions of one or several equations; derive: the "
        "derivative; integrate: the antiderivative, or with `point` the definite integral; "
        "limit: the limit at `point`; series: the expansion around `point`; matrix: "
        "expressions over matrices and vectors.">
        mode = "evaluate";
    Field<int, "Significant digits of decimal results.", Min<1>, Max<1000>> precision =
        calc::default_precision;
    Field<bool, "Write the result as a decimal number in scientific notation, such as 1.5e+3.">
        scientific = false;
    Field<bool, "Return a decimal number even if the exact result is a fraction, a root or pi.">
        force_numeric = false;
    Field<std::map<std::string, Number>,
          "Values of names in the expression: numbers, or expressions as text.", MaxProperties<100>,
          Keyword<"examples", R"([{"r": 2.5, "n": 12, "half": "1/2"}])">>
        variables = toolhost::empty;
    Field<std::optional<std::string>,
          "The unknown of solve, derive, integrate, limit and series; solve also accepts several, "
          "such as x, y. Default: the only unknown, else x; all unknowns of a system.",
          MinLength<1>, MaxLength<200>, Keyword<"examples", R"(["x", "x, y"])">>
        wrt;
    Field<std::optional<std::string>,
          "The point. limit, series: a number, an expression, inf or -inf (default 0); limit also "
          "from one side, such as 0+ or 0-. integrate: the two bounds, such as 0, pi.",
          MinLength<1>, MaxLength<1000>, Keyword<"examples", R"(["0", "inf", "0+", "0, pi"])">>
        point;
    Field<std::optional<int>,
          "derive: which derivative (default 1). series: the power of the first omitted term, at "
          "least 2 (default 5).",
          Min<1>, Max<calc::max_order>>
        order;
};

struct Output {
    Field<std::string, "The expression, as given."> expression;
    Field<std::string, "The mode."> mode;
    Field<std::string, "The result: exact, or decimal if decimals were given or requested."> result;
    Field<std::string,
          "integer, rational, real, complex, symbolic or infinite; mode solve: solutions, "
          "no_solution or infinitely_many; mode matrix also: matrix, or values for eigenvalues.">
        kind;
    Field<std::optional<std::string>,
          "The decimal value of an exact result that is not an integer.">
        numeric;
    Field<std::optional<std::string>, "The unknown or unknowns of the mode."> wrt;
    Field<std::optional<std::vector<std::map<std::string, std::string>>>,
          "Mode solve: each solution, by unknown.">
        solutions;
    Field<std::optional<std::vector<std::vector<std::string>>>, "Mode matrix: the rows."> matrix;
    Field<std::optional<std::vector<std::string>>, "Mode matrix: the eigenvalues."> values;
    Field<std::optional<std::vector<std::string>>,
          "Notes about the result, for example that it was found numerically or is one of many.">
        notes;
};

std::string text_of(const Number& number) {
    const nlohmann::json value = toolhost::write_json(number);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// Reports progress of a longer calculation when it is polled for cancellation, every few
// milliseconds from another thread.
class ProgressReporter {
public:
    explicit ProgressReporter(const toolhost::Context& context) : context_(context) {}

    bool cancelled() {
        using namespace std::chrono;
        const auto seconds_passed = duration_cast<seconds>(steady_clock::now() - start_).count();
        if (seconds_passed > reported_) {
            reported_ = seconds_passed;
            context_.progress(static_cast<double>(reported_), limit_,
                              "seconds, after which it gives up");
        }
        return context_.cancelled();
    }

private:
    const double limit_ = std::chrono::duration<double>(calc::time_limit).count();
    const toolhost::Context& context_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::int64_t reported_ = 0;
};

calc::Question question_of(const Input& in, ProgressReporter& reporter) {
    calc::Question question{.expression = in.expression,
                            .mode = calc::mode_of(in.mode.str()),
                            .precision = in.precision,
                            .scientific = in.scientific,
                            .force_numeric = in.force_numeric,
                            .variables = {},
                            .wrt = in.wrt,
                            .point = in.point,
                            .order = in.order,
                            .cancelled = [&reporter] { return reporter.cancelled(); }};
    for (const auto& [name, number] : in.variables) question.variables[name] = text_of(number);
    return question;
}

Output output_of(const Input& in, const calc::Answer& answer) {
    Output out;
    out.expression = in.expression.get();
    out.mode = in.mode.str();
    out.result = answer.result;
    out.kind = answer.kind;
    if (!answer.numeric.empty()) out.numeric = std::optional(answer.numeric);
    if (!answer.wrt.empty()) out.wrt = std::optional(answer.wrt);
    // If there are no solutions, the list is empty instead of missing.
    if (in.mode.str() == "solve") out.solutions = std::optional(answer.solutions);
    if (!answer.rows.empty()) out.matrix = std::optional(answer.rows);
    if (!answer.values.empty()) out.values = std::optional(answer.values);
    if (!answer.notes.empty()) out.notes = std::optional(answer.notes);
    return out;
}

toolhost::Reply calculate(const Input& in, toolhost::Context& context) {
    ProgressReporter reporter(context);
    const auto outcome = calc::calculate(question_of(in, reporter));
    if (const auto* refusal = std::get_if<calc::Refusal>(&outcome)) {
        using Why = calc::Refusal::Why;
        if (refusal->why == Why::cancelled) throw toolhost::Cancelled{};
        if (refusal->why == Why::bad_expression) {
            throw toolhost::BadInput(refusal->field, refusal->message);
        }
        context.fail("tool_failed", refusal->message);
    }
    const auto& answer = std::get<calc::Answer>(outcome);
    std::string text = "Result: " + answer.result;
    if (!answer.numeric.empty()) text += " (about " + answer.numeric + ")";
    for (const std::string& note : answer.notes) text += "\nNote: " + note;
    return toolhost::Reply().text(text).json(output_of(in, answer));
}

}  // namespace

toolhost::Tool calculator() {
    return toolhost::tool<calculate>(
               "calculator",
               "Computes expressions, exactly if possible: 1/3 stays 1/3, sqrt(8) is 2*sqrt(2), "
               "100! "
               "has all its digits, 0.1 + 0.2 is 0.3. Solves equations and systems, derives, "
               "integrates, finds limits and series, and computes with matrices. Use it for any "
               "arithmetic or algebra whose result matters, and for more digits than a float has. "
               "Not for units, dates, plots or statistics over data. It does not run code or "
               "support assignments.")
        .title("Calculator")
        .version("1.0.0")
        .category("compute")
        .needs({.read = false})
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"expression", "2 * (3 + 4)^2"}}, "Arithmetic: 98.")
        .example({{"expression", "1/3 + 1/6"}}, "Exact fractions: 1/2.")
        .example({{"expression", "pi * r^2"}, {"variables", {{"r", 2.5}}}},
                 "A formula with a value: 19.63495408.")
        .example({{"expression", "sqrt(2)"}, {"force_numeric", true}, {"precision", 30}},
                 "Thirty digits: 1.41421356237309504880168872421.")
        .example({{"expression", "x^2 = 2"}, {"mode", "solve"}}, "x = sqrt(2) or x = -sqrt(2).")
        .example({{"expression", "x + y = 3, x - y = 1"}, {"mode", "solve"}},
                 "A system: x = 2, y = 1.")
        .example({{"expression", "sin(x)"}, {"mode", "derive"}, {"order", 2}},
                 "The second derivative: -sin(x).")
        .example({{"expression", "exp(-x^2)"}, {"mode", "integrate"}, {"point", "-inf, inf"}},
                 "A definite integral: sqrt(pi).")
        .example({{"expression", "sin(x)/x"}, {"mode", "limit"}, {"point", "0"}}, "A limit: 1.")
        .example({{"expression", "cos(x)"}, {"mode", "series"}, {"order", 6}},
                 "1-1/2*x^2+1/24*x^4+O(x^6).")
        .example({{"expression", "inverse([[1, 2], [3, 4]])"}, {"mode", "matrix"}},
                 "An inverse: [[-2, 1], [3/2, -1/2]].");
}

}  // namespace data_tools
