#include "calc/expression.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "calc/lexer.hpp"
#include "nearest.hpp"

namespace data_tools::calc {
namespace {

// Thrown inside this file only: a recursive descent is clearer without a check after each step.
struct SyntaxError {
    std::string message;
};

std::string quoted(const std::string& text) {
    return "'" + text.substr(0, 80) + "'";
}

// What all the texts of one request (the expression and the variables' values) share.
struct Scope {
    const Variables& variables;
    Language language;
    std::map<std::string, NodePtr> known;  // variables already parsed
    std::set<std::string> open;            // variables being parsed: a cycle if met again
};

enum class Place { whole, variable };  // whether equations may be written

NodePtr parse_text(std::string_view text, Scope& scope, Place place);

class Parser {
public:
    Parser(std::vector<Token> tokens, Scope& scope) : tokens_(std::move(tokens)), scope_(scope) {}

    NodePtr run(Place place) {
        if (now().kind == TokenKind::end) throw SyntaxError{"the expression is empty"};
        NodePtr root;
        if (place == Place::variable || scope_.language == Language::arithmetic) {
            root = sum();
        } else if (scope_.language == Language::equations) {
            root = equations();
        } else {
            root = sum();
            if (at("=")) root = equal_to(root);
        }
        if (at("=") && place == Place::whole && scope_.language != Language::arithmetic) {
            fail("unexpected '=': an equation has two sides; several are separated by commas");
        }
        if (at("=")) {
            fail(
                "unexpected '=': assignments and equations are not accepted; give values in "
                "`variables`, and equations in mode solve");
        }
        if (now().kind != TokenKind::end) fail("unexpected " + shown(now()) + after_previous());
        return root;
    }

private:
    // Counts the levels of recursion, so that no input can exhaust the stack.
    struct Level {
        explicit Level(Parser& p) : parser(p) {
            if (++parser.level_ > max_nesting * 2) parser.fail_nesting();
        }
        ~Level() { --parser.level_; }
        Parser& parser;
    };

    const Token& now() const { return tokens_[at_]; }
    bool at(std::string_view op) const { return now().kind == TokenKind::op && now().text == op; }
    bool accept(std::string_view op) {
        if (!at(op)) return false;
        ++at_;
        return true;
    }

    static std::string shown(const Token& token) {
        return token.kind == TokenKind::end ? "end of the expression" : quoted(token.text);
    }
    std::string after_previous() const {
        return at_ == 0 ? "" : " after " + shown(tokens_[at_ - 1]);
    }
    [[noreturn]] void fail(const std::string& what) const { fail_at(now().column, what); }
    [[noreturn]] static void fail_at(std::size_t column, const std::string& what) {
        throw SyntaxError{"column " + std::to_string(column) + ": " + what};
    }
    [[noreturn]] void fail_nesting() const {
        fail("nested more than " + std::to_string(max_nesting) + " levels deep");
    }

    NodePtr make(Node node) const {
        const bool chain = node.kind == Kind::add || node.kind == Kind::subtract ||
                           node.kind == Kind::multiply || node.kind == Kind::divide;
        for (std::size_t k = 0; k < node.args.size(); ++k) {
            node.size += node.args[k]->size;
            const int deeper = chain && k == 0 ? 0 : 1;
            node.nesting = std::max(node.nesting, node.args[k]->nesting + deeper);
        }
        if (node.size > max_nodes) {
            fail("the expression has more than " + std::to_string(max_nodes) + " parts");
        }
        if (node.nesting > max_nesting) fail_nesting();
        return std::make_shared<const Node>(std::move(node));
    }

    // x + y = 3, x - y = 1, also in [ ].
    NodePtr equations() {
        const Token opened = now();
        const bool brackets = accept("[");
        std::vector<NodePtr> all;
        do all.push_back(equation());
        while (accept(","));
        if (brackets) close(opened, "]");
        return make({.kind = Kind::list, .args = std::move(all)});
    }

    NodePtr equation() {
        const Token opened = now();
        if (opened.text == "Eq" && tokens_[at_ + 1].text == "(") {
            ++at_;
            ++at_;
            NodePtr left = sum();
            if (!accept(",")) fail("Eq takes two sides: Eq(x^2, 4)");
            NodePtr right = sum();
            close(opened, ")");
            return make({.kind = Kind::equation, .args = {left, right}});
        }
        NodePtr left = sum();
        if (at("=")) return equal_to(left);
        return make(
            {.kind = Kind::equation, .args = {left, make({.kind = Kind::integer, .text = "0"})}});
    }

    NodePtr equal_to(const NodePtr& left) {
        ++at_;
        return make({.kind = Kind::equation, .args = {left, sum()}});
    }

    NodePtr list() {
        const Token opened = now();
        if (scope_.language != Language::matrices) {
            fail(
                "unexpected '[': lists are not accepted; use ( ) for grouping, and mode matrix "
                "for matrices");
        }
        ++at_;
        std::vector<NodePtr> args;
        do args.push_back(sum());
        while (accept(","));
        close(opened, "]");
        return make({.kind = Kind::list, .args = std::move(args)});
    }

    NodePtr sum() {
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

    NodePtr product() {
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

    // 2x, 2(x+1), (x+1)(x-1): a number or ')' followed by a name or '('.
    bool implicit_product() const {
        const Token& previous = tokens_[at_ - 1];
        const bool left = previous.kind == TokenKind::number || previous.text == ")";
        return left && (now().kind == TokenKind::name || at("("));
    }

    NodePtr signed_power() {
        const Level level(*this);
        if (accept("+")) return signed_power();
        if (accept("-")) return make({.kind = Kind::negate, .args = {signed_power()}});
        NodePtr base = primary();
        while (accept("!")) base = make({.kind = Kind::factorial, .args = {base}});
        // Right to left, and the exponent may have a sign: 2^3^2 is 2^9, 2^-1 is a half.
        if (accept("^")) return make({.kind = Kind::power, .args = {base, signed_power()}});
        return base;
    }

    NodePtr primary() {
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

    void close(const Token& opened, std::string_view sign) {
        if (accept(sign)) return;
        fail("expected " + quoted(std::string(sign)) + " for the " + quoted(opened.text) +
             " at column " + std::to_string(opened.column) + ", found " + shown(now()));
    }

    NodePtr number(const Token& token) {
        const std::string& text = token.text;
        if (text.size() > max_literal_digits) {
            fail("a number may have " + std::to_string(max_literal_digits) + " digits");
        }
        const std::size_t e = text.find_first_of("eE");
        if (e != std::string::npos) {
            const bool sign = text[e + 1] == '+' || text[e + 1] == '-';
            const std::string digits = text.substr(e + (sign ? 2 : 1));
            if (digits.size() > 9 || std::stoi(digits) > max_literal_exponent) {
                fail("a number's exponent may be " + std::to_string(max_literal_exponent));
            }
        }
        ++at_;
        const bool whole = text.find_first_of(".eE") == std::string::npos;
        return make({.kind = whole ? Kind::integer : Kind::decimal, .text = text});
    }

    NodePtr name(const Token& token) {
        if (scope_.variables.contains(token.text)) return variable(token);
        if (const Constant* constant = find_constant(token.text)) {
            return make({.kind = Kind::constant, .text = token.text, .constant = constant});
        }
        if (is_symbol(token.text)) return make({.kind = Kind::symbol, .text = token.text});
        if (is_function(token.text, scope_.language)) {
            fail_at(token.column,
                    quoted(token.text) + " is a function: write " + token.text + "(...)");
        }
        unknown(token, "name");
    }

    NodePtr variable(const Token& token) {
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

    NodePtr call(const Token& token) {
        const std::string& word = token.text;
        if (!is_function(word, scope_.language)) {
            if (scope_.variables.contains(word) || find_constant(word) || is_symbol(word)) {
                fail_at(token.column, quoted(word) + " is not a function: write " + word +
                                          "*(...) for a product");
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
        const Function* function =
            find_function(word, static_cast<int>(args.size()), scope_.language);
        if (function == nullptr) {
            fail_at(token.column, word + " takes " + argument_counts(word) + " argument(s), not " +
                                      std::to_string(args.size()));
        }
        return make(
            {.kind = Kind::call, .text = word, .args = std::move(args), .function = function});
    }

    [[noreturn]] void unknown(const Token& token, const std::string& what) const {
        std::vector<std::string> words = known_words(scope_.language);
        for (const auto& [variable_name, value] : scope_.variables) words.push_back(variable_name);
        fail_at(token.column, "unknown " + what + " " + quoted(token.text) + "." +
                                  did_you_mean(token.text, words) +
                                  (what == "name" ? " Give its value in `variables`, or use a "
                                                    "single letter for an unknown."
                                                  : ""));
    }

    std::vector<Token> tokens_;
    Scope& scope_;
    std::size_t at_ = 0;
    int level_ = 0;
};

NodePtr parse_text(std::string_view text, Scope& scope, Place place) {
    if (text.size() > max_expression_bytes) {
        throw SyntaxError{"longer than " + std::to_string(max_expression_bytes) + " bytes"};
    }
    auto tokens = tokenize(text);
    if (!tokens) throw SyntaxError{tokens.error()};
    return Parser(*std::move(tokens), scope).run(place);
}

void check_names(const Variables& variables, Language language) {
    if (variables.size() > max_variables) {
        throw SyntaxError{"more than " + std::to_string(max_variables) + " variables"};
    }
    for (const auto& [name, value] : variables) {
        const auto tokens = tokenize(name);
        const bool word = tokens && tokens->size() == 2 && tokens->front().text == name &&
                          tokens->front().kind == TokenKind::name && name.size() <= 64;
        if (!word) throw SyntaxError{"variable " + quoted(name) + " is not a name"};
        if (is_function(name, language) && !is_symbol(name)) {
            throw SyntaxError{"variable " + quoted(name) + " has the name of a function"};
        }
    }
}

}  // namespace

Outcome<NodePtr> parse_expression(std::string_view text, const Variables& variables,
                                  Language language) {
    try {
        check_names(variables, language);
        Scope scope{variables, language, {}, {}};
        return parse_text(text, scope, Place::whole);
    } catch (const SyntaxError& e) {
        return Failure{e.message};
    }
}

}  // namespace data_tools::calc
