#include "calc/giac_text.hpp"

#include <charconv>

namespace data_tools::calc {
namespace {

// Unknowns are renamed with this prefix, because many short names have a meaning in giac's
// language.
constexpr std::string_view symbol_prefix = "zq";

struct TooLong {};

int precedence(Kind kind) {
    switch (kind) {
        case Kind::add:
        case Kind::subtract:
            return 1;
        case Kind::multiply:
        case Kind::divide:
            return 2;
        case Kind::power:
            return 3;
        default:
            return 4;  // has its own parentheses, or needs none
    }
}

// Writes 12.5e-3 as (125/10^4).
std::string fraction(const std::string& decimal) {
    const std::size_t e = decimal.find_first_of("eE");
    long exponent = 0;
    if (e != std::string::npos) {
        const std::size_t start = decimal[e + 1] == '+' ? e + 2 : e + 1;
        std::from_chars(decimal.data() + start, decimal.data() + decimal.size(), exponent);
    }
    std::string digits = decimal.substr(0, e);
    const std::size_t dot = digits.find('.');
    if (dot != std::string::npos) {
        exponent -= static_cast<long>(digits.size() - dot - 1);
        digits.erase(dot, 1);
    }
    digits.erase(0, digits.find_first_not_of('0'));
    if (digits.empty()) return "0";
    if (exponent == 0) return digits;
    return "(" + digits + (exponent < 0 ? "/10^" : "*10^") +
           std::to_string(exponent < 0 ? -exponent : exponent) + ")";
}

class Writer {
public:
    explicit Writer(bool fractions) : fractions_(fractions) {}

    std::string text(const Node& node) const {
        std::string out = plain(node);
        if (out.size() > max_giac_bytes) throw TooLong{};
        return out;
    }

private:
    std::string plain(const Node& node) const {
        switch (node.kind) {
            case Kind::integer:
                return whole(node.text);
            case Kind::decimal:
                return fractions_ ? fraction(node.text) : node.text;
            case Kind::constant:
                return std::string(node.constant->text);
            case Kind::symbol:
                return std::string(symbol_prefix) + node.text;
            case Kind::negate:
                return "(-" + inside(node, 0, 3) + ")";
            case Kind::factorial:
                return "factorial(" + text(*node.args[0]) + ")";
            case Kind::add:
                return inside(node, 0, 1) + "+" + inside(node, 1, 2);
            case Kind::subtract:
                return inside(node, 0, 1) + "-" + inside(node, 1, 2);
            case Kind::multiply:
                return inside(node, 0, 2) + "*" + inside(node, 1, 3);
            case Kind::divide:
                return inside(node, 0, 2) + "/" + inside(node, 1, 3);
            case Kind::power:
                return inside(node, 0, 4) + "^" + inside(node, 1, 4);
            case Kind::modulo:
                return filled(find_function("mod", 2)->text, node);
            case Kind::call:
                return filled(node.function->text, node);
            case Kind::equation:
                return text(*node.args[0]) + "=" + text(*node.args[1]);
            case Kind::list:
                return list(node);
        }
        return "";
    }

    // An argument, in parentheses if it binds less than `needed`.
    std::string inside(const Node& node, std::size_t k, int needed) const {
        const Node& arg = *node.args[k];
        std::string out = text(arg);
        return precedence(arg.kind) < needed ? "(" + out + ")" : out;
    }

    // A vector is a column: a list of rows with one number each.
    std::string list(const Node& node) const {
        std::string out;
        for (const NodePtr& arg : node.args) {
            if (!out.empty()) out += ',';
            if (arg->kind == Kind::list) {
                out += "[" + joined(*arg) + "]";
            } else {
                out += arg->kind == Kind::equation ? text(*arg) : "[" + text(*arg) + "]";
            }
        }
        return "[" + out + "]";
    }

    std::string joined(const Node& node) const {
        std::string out;
        for (const NodePtr& arg : node.args) out += (out.empty() ? "" : ",") + text(*arg);
        return out;
    }

    // Removes leading zeros: 007 would be octal.
    static std::string whole(const std::string& digits) {
        const std::size_t start = digits.find_first_not_of('0');
        return start == std::string::npos ? "0" : digits.substr(start);
    }

    std::string filled(std::string_view pattern, const Node& node) const {
        std::string out;
        for (std::size_t k = 0; k < pattern.size(); ++k) {
            if (pattern[k] != '$') {
                out += pattern[k];
            } else if (pattern[++k] == '*') {
                out += joined(node);
            } else {
                out += text(*node.args[static_cast<std::size_t>(pattern[k] - '1')]);
            }
            if (out.size() > max_giac_bytes) throw TooLong{};
        }
        return out;
    }

    bool fractions_;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        text.replace(at, from.size(), to);
        at += to.size() + (to.empty() ? 1 : 0);  // continue after it: zqq is the unknown q
    }
}

}  // namespace

Outcome<std::string> write_for_giac(const Node& root, bool fractions) {
    try {
        return Writer(fractions).text(root);
    } catch (const TooLong&) {
        return Failure{"too large to evaluate: nested mod, round and trunc repeat their arguments"};
    }
}

std::string giac_name(const std::string& unknown) {
    return std::string(symbol_prefix) + unknown;
}

std::string read_from_giac(std::string text) {
    replace_all(text, symbol_prefix, "");
    replace_all(text, "exp(1)", "e");
    return text;
}

}  // namespace data_tools::calc
