// Modes derive, integrate, limit and series.
#include <algorithm>
#include <array>

#include "calc/decimal.hpp"
#include "calc/giac_text.hpp"
#include "calc/lexer.hpp"
#include "calc/modes.hpp"

namespace data_tools::calc {
namespace {

using Why = Refusal::Why;

constexpr int default_series_order = 5;
constexpr int numeric_digits = 12;  // correct digits of giac's numeric integration

Answer answer_of(Shown shown, const std::string& wrt) {
    Answer answer;
    answer.result = std::move(shown.result);
    answer.numeric = std::move(shown.numeric);
    answer.kind = std::move(shown.kind);
    answer.wrt = wrt;
    return answer;
}

bool contains(const EngineValue& value, const char* word) {
    return value.exact.find(word) != std::string::npos;
}

void refuse_unknown(const Term& point, const std::string& unknown) {
    if (!mentions(*point.root, unknown)) return;
    refuse(Why::bad_expression, "the point cannot depend on the unknown '" + unknown + "' itself",
           "/point");
}

bool finite_number(const Term& term) {
    return !term.traits.symbolic && !term.traits.infinite;
}

// 1/0 has no derivative, but giac treats it as a constant.
Term defined_expression(Work& work) {
    Term f = work.expression(Language::arithmetic);
    if (f.traits.infinite) {
        refuse(Why::bad_expression, "an infinite expression has no derivative, integral or limit");
    }
    const EngineAnswer value =
        work.ask(f.text, {.simplify = false, .limit = std::chrono::seconds(2)});
    const bool none =
        value.value.kind == ValueKind::infinite || value.value.kind == ValueKind::undefined;
    if (!value.stopped && none) {
        refuse(Why::no_value, "the expression is undefined, as 1/0 or 0/0");
    }
    return f;
}

struct Bounds {
    Term from, to;
};

// "0, pi" or "[0, pi]".
Bounds bounds_of(Work& work, const std::string& unknown) {
    std::string text = *work.question().point;
    const std::size_t first = text.find_first_not_of(" \t");
    const std::size_t last = text.find_last_not_of(" \t");
    if (first != std::string::npos && text[first] == '[' && text[last] == ']') {
        text = text.substr(first + 1, last - first - 1);
    }
    int depth = 0;
    std::vector<std::size_t> commas;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] == '(') ++depth;
        if (text[k] == ')') --depth;
        if (text[k] == ',' && depth == 0) commas.push_back(k);
    }
    if (commas.size() != 1) {
        refuse(Why::bad_expression,
               "an integral needs two bounds separated by a comma, such as 0, pi", "/point");
    }
    Bounds bounds{work.point(text.substr(0, commas[0])), work.point(text.substr(commas[0] + 1))};
    refuse_unknown(bounds.from, unknown);
    refuse_unknown(bounds.to, unknown);
    return bounds;
}

Answer indefinite(Work& work, const Term& f, const std::string& unknown) {
    const EngineValue value = work.need("integrate(" + f.text + "," + giac_name(unknown) + ")");
    if (contains(value, "integrate(") || contains(value, "rootof(")) {
        refuse(Why::no_value,
               "no antiderivative in closed form was found; a definite integral, with the bounds "
               "in `point`, can be computed numerically");
    }
    return answer_of(work.show(value), unknown);
}

// giac integrates 1/x from -1 to 1 to 0, because the areas cancel. They are infinite, so the
// integral is undefined.
void check_convergence(Work& work, const Term& f, const std::string& rest, const Bounds& bounds) {
    const bool numbers =
        finite_number(bounds.from) && finite_number(bounds.to) && unknowns_of(*f.root).size() <= 1;
    if (!numbers) return;
    const EngineAnswer area = work.ask("integrate(abs(" + f.text + ")" + rest,
                                       {.simplify = false, .limit = std::chrono::seconds(2)});
    if (!area.stopped && area.value.kind == ValueKind::infinite) {
        refuse(Why::no_value,
               "the integral diverges: the integrand is unbounded between its bounds");
    }
}

Answer definite(Work& work, const Term& f, const std::string& unknown) {
    const Bounds bounds = bounds_of(work, unknown);
    const std::string x = giac_name(unknown);
    const std::string rest = "," + x + "," + bounds.from.text + "," + bounds.to.text + ")";
    EngineAnswer got = work.ask("integrate(" + f.text + rest, {.limit = std::chrono::seconds(6)});
    const bool late = got.stopped && got.stop.why == EngineStop::Why::timeout;
    if (late && finite_number(bounds.from) && finite_number(bounds.to)) {
        got = work.ask("gaussquad(" + f.text + "," + x + "=" + bounds.from.text + ".." +
                       bounds.to.text + ")");
        got.value.inexact = true;
    }
    if (got.stopped) refuse(Why::no_value, got.stop.message);
    EngineValue& value = got.value;
    if (value.kind == ValueKind::undefined ||
        (value.kind == ValueKind::infinite && !value.signed_infinity)) {
        refuse(Why::no_value, "the integral diverges, or is undefined between its bounds");
    }
    if (value.kind != ValueKind::infinite) check_convergence(work, f, rest, bounds);
    const bool open = contains(value, "integrate(");
    if (open && value.real.empty()) {
        refuse(Why::no_value,
               "no closed form was found, and an expression with unknowns has no numeric value");
    }
    value.inexact = value.inexact || open;
    const int digits = value.inexact ? numeric_digits : max_precision;
    // The antiderivative of a real function may contain complex numbers: sin(x^2).
    const auto is_real = [](const Term& term) { return !mentions_imaginary_unit(*term.root); };
    if (is_real(f) && is_real(bounds.from) && is_real(bounds.to))
        value = without_rounding_errors(value, std::min(work.question().precision, digits));
    Answer answer = answer_of(work.show(value, digits), unknown);
    if (value.inexact) {
        answer.notes.push_back("computed numerically, to about " + std::to_string(numeric_digits) +
                               " digits: no closed form was found");
    }
    return answer;
}

// "0+" and "0-" are one-sided; the sign is the last character, and no operand follows it.
int take_side(std::string& point) {
    const std::size_t last = point.find_last_not_of(" \t");
    if (last == std::string::npos || (point[last] != '+' && point[last] != '-')) return 0;
    const int side = point[last] == '+' ? 1 : -1;
    point.erase(last);
    return side;
}

[[noreturn]] void no_limit(const std::string& why) {
    refuse(Why::no_value, "no limit: " + why);
}

// Writes x^6*order_size(x) at the end of a series as O(x^6).
std::string with_remainder(std::string text) {
    const std::string word = "order_size(";
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return text;
    std::size_t start = at;  // of the last summand
    int depth = 0;
    while (start > 0) {
        const char c = text[start - 1];
        if (c == ')') ++depth;
        if (c == '(') --depth;
        if (depth == 0 && (c == '+' || c == '-') && start > 1 && text[start - 2] != '^') break;
        --start;
    }
    std::string factor = text.substr(start, at - start);
    if (!factor.empty() && factor.back() == '*') factor.pop_back();
    if (factor.empty()) return "";  // not even the first term is known
    const std::string before = start > 0 ? text.substr(0, start - 1) : "";
    return before + (before.empty() ? "" : "+") + "O(" + factor + ")";
}

}  // namespace

Answer derive(Work& work) {
    const Term f = defined_expression(work);
    const std::string unknown = one_unknown(work.question(), *f.root);
    const int order = work.question().order.value_or(1);
    const EngineValue value =
        work.need("diff(" + f.text + "," + giac_name(unknown) + "," + std::to_string(order) + ")");
    return answer_of(work.show(value), unknown);
}

Answer integrate(Work& work) {
    const Term f = defined_expression(work);
    const std::string unknown = one_unknown(work.question(), *f.root);
    return work.question().point ? definite(work, f, unknown) : indefinite(work, f, unknown);
}

Answer limit(Work& work) {
    const Term f = defined_expression(work);
    const std::string unknown = one_unknown(work.question(), *f.root);
    std::string point = work.question().point.value_or("0");
    const int side = take_side(point);
    const Term at = work.point(point);
    refuse_unknown(at, unknown);
    const EngineAnswer got = work.ask("limit(" + f.text + "," + giac_name(unknown) + "," + at.text +
                                      (side == 0  ? ""
                                       : side > 0 ? ",1"
                                                  : ",-1") +
                                      ")");
    const std::string sides =
        ": request a one-sided limit, with `point` \"" + point + "+\" or \"" + point + "-\"";
    if (got.stopped) {
        const std::size_t distinct = got.stop.message.find("distinct ");
        if (distinct == std::string::npos) refuse(Why::no_value, got.stop.message);
        no_limit("the one-sided limits differ: " +
                 read_from_giac(got.stop.message.substr(distinct + 9)) + sides);
    }
    const EngineValue& value = got.value;
    if (contains(value, "bounded_function")) no_limit("the expression oscillates");
    if (value.kind == ValueKind::infinite && !value.signed_infinity) {
        no_limit("the expression grows without bound, with a sign that depends on the side" +
                 sides);
    }
    if (value.kind == ValueKind::undefined) {
        no_limit(side == 0 ? "undefined, or the one-sided limits differ" + sides : "undefined");
    }
    return answer_of(work.show(value), unknown);
}

Answer series(Work& work) {
    const Term f = defined_expression(work);
    const std::string unknown = one_unknown(work.question(), *f.root);
    const int order = work.question().order.value_or(default_series_order);
    if (order < 2) {  // giac replaces order 0 by its default
        refuse(
            Why::bad_expression,
            "the order of a series must be at least 2; use mode limit for the value at the point",
            "/order");
    }
    const Term at = work.point(work.question().point.value_or("0"));
    refuse_unknown(at, unknown);
    EngineValue value = work.need("series(" + f.text + "," + giac_name(unknown) + "=" + at.text +
                                      "," + std::to_string(order - 1) + ")",
                                  {.simplify = false});
    if (contains(value, "order_size(")) value.exact = with_remainder(value.exact);
    const bool none = value.kind == ValueKind::undefined || value.kind == ValueKind::infinite ||
                      (value.exact.empty() && value.real.empty()) ||
                      contains(value, "function_diff");
    if (none) refuse(Why::no_value, "the expression has no series at this point");
    return answer_of(work.show(value), unknown);
}

}  // namespace data_tools::calc
