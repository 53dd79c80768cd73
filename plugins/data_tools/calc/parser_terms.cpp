// Sums and their parts: products, powers, numbers, names and calls.
#include <algorithm>

#include "calc/parser.hpp"
#include "nearest.hpp"

namespace data_tools::calc {

NodePtr Parser::sum() {
    const Level level(*this);
    NodePtr left = product();
    while (at("+") || at("-")) {
        const Kind kind = at("+") ? Kind::add : Kind::subtract;
        ++at_;
        NodePtr right = product();
        left = make({.kind = kind, .args = {left, right}});
    }
    return left;
}

NodePtr Parser::product() {
    NodePtr left = signed_power();
    for (;;) {
        Kind kind = Kind::multiply;
        if (at("*") || at("/") || at("%")) {
            kind = at("*") ? Kind::multiply : at("/") ? Kind::divide : Kind::modulo;
            ++at_;
        } else if (!implicit_product()) {
            return left;
        }
        NodePtr right = signed_power();
        left = make({.kind = kind, .args = {left, right}});
    }
}

bool Parser::implicit_product() const {
    const Token& previous = tokens_[at_ - 1];
    const bool left = previous.kind == TokenKind::number || previous.text == ")";
    return left && (now().kind == TokenKind::name || at("("));
}

NodePtr Parser::signed_power() {
    const Level level(*this);
    if (accept("+")) return signed_power();
    if (accept("-")) return make({.kind = Kind::negate, .args = {signed_power()}});
    NodePtr base = primary();
    while (accept("!")) base = make({.kind = Kind::factorial, .args = {base}});
    // Right-associative, and the exponent may have a sign: 2^3^2 is 2^9, 2^-1 is 1/2.
    if (accept("^")) return make({.kind = Kind::power, .args = {base, signed_power()}});
    return base;
}

NodePtr Parser::primary() {
    const Token token = now();
    if (accept("(")) {
        NodePtr inner = sum();
        close(token, ")");
        return inner;
    }
    if (at("[")) return list();
    if (token.kind == TokenKind::number) return number(token);
    if (token.kind == TokenKind::name) {
        ++at_;
        return at("(") ? call(token) : name(token);
    }
    fail("expected a number, a name or '(', found " + shown(token) + after_previous());
}

void Parser::close(const Token& opened, std::string_view sign) {
    if (accept(sign)) return;
    fail("expected " + quoted(std::string(sign)) + " for the " + quoted(opened.text) +
         " at column " + std::to_string(opened.column) + ", found " + shown(now()));
}

NodePtr Parser::number(const Token& token) {
    const std::string& text = token.text;
    if (text.size() > max_literal_digits) {
        fail("a number can have at most " + std::to_string(max_literal_digits) + " digits");
    }
    const std::size_t e = text.find_first_of("eE");
    if (e != std::string::npos) {
        const bool sign = text[e + 1] == '+' || text[e + 1] == '-';
        const std::string digits = text.substr(e + (sign ? 2 : 1));
        if (digits.size() > 9 || std::stoi(digits) > max_literal_exponent) {
            fail("a number's exponent can be at most " + std::to_string(max_literal_exponent));
        }
    }
    ++at_;
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    return make({.kind = whole ? Kind::integer : Kind::decimal, .text = text});
}

NodePtr Parser::name(const Token& token) {
    if (scope_.variables.contains(token.text)) return variable(token);
    if (const Constant* constant = find_constant(token.text)) {
        return make({.kind = Kind::constant, .text = token.text, .constant = constant});
    }
    if (is_symbol(token.text)) return make({.kind = Kind::symbol, .text = token.text});
    if (is_function(token.text, scope_.language)) {
        fail_at(token.column, quoted(token.text) + " is a function: write " + token.text + "(...)");
    }
    unknown(token, "name");
}

NodePtr Parser::variable(const Token& token) {
    const auto found = scope_.known.find(token.text);
    if (found != scope_.known.end()) return found->second;
    if (!scope_.open.insert(token.text).second) {
        throw SyntaxError{"variable " + quoted(token.text) + " is defined by itself"};
    }
    NodePtr value;
    try {
        value = parse_text(scope_.variables.at(token.text), scope_, Place::variable);
    } catch (const SyntaxError& e) {
        throw SyntaxError{"in variable " + quoted(token.text) + ": " + e.message};
    }
    scope_.open.erase(token.text);
    scope_.known.emplace(token.text, value);
    return value;
}

NodePtr Parser::call(const Token& token) {
    const std::string& word = token.text;
    if (!is_function(word, scope_.language)) {
        if (scope_.variables.contains(word) || find_constant(word) || is_symbol(word)) {
            fail_at(token.column,
                    quoted(word) + " is not a function: write " + word + "*(...) for a product");
        }
        if (is_function(word, Language::matrices)) {
            fail_at(token.column, quoted(word) + " is a function of mode matrix");
        }
        unknown(token, "function");
    }
    const Token opened = now();
    ++at_;
    std::vector<NodePtr> args;
    if (!at(")")) {
        do args.push_back(sum());
        while (accept(","));
    }
    close(opened, ")");
    const Function* function = find_function(word, static_cast<int>(args.size()), scope_.language);
    if (function == nullptr) {
        fail_at(token.column, word + " takes " + argument_counts(word) + " argument(s), not " +
                                  std::to_string(args.size()));
    }
    return make({.kind = Kind::call, .text = word, .args = std::move(args), .function = function});
}

void Parser::unknown(const Token& token, const std::string& what) const {
    std::vector<std::string> words = known_words(scope_.language);
    for (const auto& [variable_name, value] : scope_.variables) words.push_back(variable_name);
    fail_at(token.column, "unknown " + what + " " + quoted(token.text) + "." +
                              did_you_mean(token.text, words) +
                              (what == "name" ? " Give its value in `variables`, or use a "
                                                "single letter for an unknown."
                                              : ""));
}

}  // namespace data_tools::calc
