#include "calc/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "calc/decimal.hpp"
#include "calc/giac_text.hpp"
#include "calc/lexer.hpp"
#include "calc/present.hpp"

namespace data_tools::calc {
namespace {

void gather(const Node& node, std::set<std::string>& names) {
    if (node.kind == Kind::symbol) names.insert(node.text);
    for (const NodePtr& arg : node.args) gather(*arg, names);
}

// Whether a part is only a rounding error relative to the other.
bool is_rounding_error(const std::string& part, const std::string& other, int precision) {
    constexpr int spare = 8;
    const double size = std::fabs(std::strtod(other.c_str(), nullptr));
    return std::fabs(std::strtod(part.c_str(), nullptr)) <=
           size * std::pow(10.0, -(precision + spare));
}

}  // namespace

void refuse(Refusal::Why why, std::string message, std::string field) {
    throw Refusal{why, std::move(message), std::move(field)};
}

void check_length(const std::string& result) {
    if (result.size() <= max_result_bytes) return;
    refuse(Refusal::Why::no_value, "the result is too long: " + std::to_string(result.size()) +
                                       " characters; the limit is " +
                                       std::to_string(max_result_bytes));
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string out;
    for (std::size_t k = 0; k < parts.size(); ++k) out += (k == 0 ? "" : between) + parts[k];
    return out;
}

std::vector<std::string> unknowns_of(const Node& root) {
    std::set<std::string> names;
    gather(root, names);
    return {names.begin(), names.end()};
}

bool mentions(const Node& root, const std::string& unknown) {
    if (root.kind == Kind::symbol && root.text == unknown) return true;
    return std::any_of(root.args.begin(), root.args.end(),
                       [&](const NodePtr& arg) { return mentions(*arg, unknown); });
}

bool mentions_imaginary_unit(const Node& root) {
    if (root.constant != nullptr && root.constant->text == "i") return true;
    return std::any_of(root.args.begin(), root.args.end(),
                       [](const NodePtr& arg) { return mentions_imaginary_unit(*arg); });
}

std::vector<std::string> named_unknowns(const Question& question) {
    std::vector<std::string> names;
    if (!question.wrt) return names;
    const auto tokens = tokenize(*question.wrt);
    const auto bad = [](const std::string& why) {
        refuse(Refusal::Why::bad_expression, why, "/wrt");
    };
    for (std::size_t k = 0; tokens && k + 1 < tokens->size(); ++k) {
        const Token& token = (*tokens)[k];
        if (token.text == "," || token.text == "[" || token.text == "]") continue;
        const std::string shown = "'" + token.text.substr(0, 80) + "'";
        if (question.variables.contains(token.text)) {
            bad(shown + " has a value in `variables`, so it is not an unknown");
        }
        if (token.kind != TokenKind::name || find_constant(token.text) || !is_symbol(token.text)) {
            bad(shown +
                " is not a valid unknown: use a letter, optionally with a number (x1), or the name "
                "of a Greek letter; e, i and pi are constants");
        }
        if (std::find(names.begin(), names.end(), token.text) == names.end()) {
            names.push_back(token.text);
        }
    }
    if (names.empty()) bad("has no unknown; use x, or x, y");
    return names;
}

std::string one_unknown(const Question& question, const Node& root) {
    const auto named = named_unknowns(question);
    if (named.size() > 1) {
        refuse(Refusal::Why::bad_expression, "this mode requires exactly one unknown", "/wrt");
    }
    if (named.size() == 1) return named.front();
    const auto found = unknowns_of(root);
    if (found.size() == 1) return found.front();
    if (found.empty() || std::find(found.begin(), found.end(), "x") != found.end()) return "x";
    refuse(
        Refusal::Why::bad_expression,
        "the expression has several unknowns (" + joined(found, ", ") + "): select one with `wrt`",
        "/wrt");
}

Work::Work(const Question& question)
    : question_(question),
      end_(std::chrono::steady_clock::now() + time_limit),
      numeric_(question.force_numeric || question.scientific) {}

NodePtr Work::read(Language language) const {
    const auto tree = parse_expression(question_.expression, question_.variables, language);
    if (!tree) refuse(Refusal::Why::bad_expression, tree.error());
    const bool algebra = language != Language::matrices;  // a matrix has many, but simple parts
    if (algebra && (*tree)->size > max_algebra_nodes) {
        refuse(Refusal::Why::bad_expression, "too large for this mode: more than " +
                                                 std::to_string(max_algebra_nodes) + " parts");
    }
    return *tree;
}

Term Work::bounded(const NodePtr& root) {
    return bounded_at(root, "/expression");
}

Term Work::point(const std::string& text) {
    const auto tree = parse_expression(text, question_.variables);
    if (!tree) refuse(Refusal::Why::bad_expression, tree.error(), "/point");
    return bounded_at(*tree, "/point");
}

Term Work::bounded_at(const NodePtr& root, const char* field) {
    const auto traits = check_cost(*root, {.fractions = true, .max_degree = max_algebra_degree});
    if (!traits) refuse(Refusal::Why::bad_expression, traits.error(), field);
    const auto written = write_for_giac(*root, true);
    if (!written) refuse(Refusal::Why::bad_expression, written.error(), field);
    numeric_ = numeric_ || traits->decimal;
    return {root, *traits, *written};
}

EngineAnswer Work::ask(const std::string& text, const AskFor& how) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
        refuse(Refusal::Why::no_value,
               "gave up after " + std::to_string(time_limit.count()) + " ms");
    }
    EngineAnswer answer = evaluate_with_giac({.text = text,
                                              .digits = digits_for(question_.precision),
                                              .numeric = numeric_,
                                              .simplify = how.simplify,
                                              .lists = how.lists,
                                              .complex = how.complex,
                                              .cancelled = question_.cancelled,
                                              .limit = std::min(left, how.limit)});
    if (answer.stopped && answer.stop.why == EngineStop::Why::cancelled) {
        refuse(Refusal::Why::cancelled, answer.stop.message);
    }
    return answer;
}

EngineValue Work::need(const std::string& text, const AskFor& how) {
    EngineAnswer answer = ask(text, how);
    if (answer.stopped) refuse(Refusal::Why::no_value, answer.stop.message);
    return std::move(answer.value);
}

EngineValue without_rounding_errors(EngineValue value, int precision) {
    if (value.imaginary.empty()) return value;
    if (is_rounding_error(value.imaginary, value.real, precision)) {
        value.imaginary.clear();
        if (value.kind == ValueKind::complex) value.kind = ValueKind::real;
    } else if (is_rounding_error(value.real, value.imaginary, precision)) {
        value.real = "0";
    }
    return value;
}

Shown Work::show(const EngineValue& value, int digits) const {
    const int precision = std::min(question_.precision, digits);
    if (value.kind == ValueKind::undefined || value.kind == ValueKind::list) {
        refuse(Refusal::Why::no_value, "the result is undefined");
    }
    if (value.kind == ValueKind::infinite) return {value.exact, "", "infinite"};
    const bool no_number = value.real.empty() || has_infinite_number(value);
    const bool no_form = value.exact.find("rootof(") != std::string::npos || value.inexact;
    if (no_number && value.exact.find("rootof(") != std::string::npos) {
        refuse(Refusal::Why::no_value, "the result has no closed form");
    }
    if (no_number && value.exact.empty()) {
        refuse(Refusal::Why::no_value, "too large for a decimal number");
    }
    const std::string exact = read_from_giac(value.exact);
    check_length(exact);
    if (no_number) {
        return {format_decimals_in(exact, precision, question_.scientific), "", "symbolic"};
    }
    if (numeric_ || no_form) {
        const EngineValue clean = without_rounding_errors(value, precision);
        return {decimal_text(clean, precision, question_.scientific), "",
                clean.imaginary.empty() ? "real" : "complex"};
    }
    const std::string decimal = decimal_text(value, precision, question_.scientific);
    return {exact, value.kind == ValueKind::integer ? "" : decimal, name_of(value.kind)};
}

}  // namespace data_tools::calc
