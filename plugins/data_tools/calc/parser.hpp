// The expression parser, by recursive descent: expression.cpp has equations and lists,
// parser_terms.cpp sums and everything below.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calc/expression.hpp"
#include "calc/lexer.hpp"

namespace data_tools::calc {

// Thrown by the parser only: recursive descent is clearer without a check after each step.
struct SyntaxError {
    std::string message;
};

inline std::string quoted(const std::string& text) {
    return "'" + text.substr(0, 80) + "'";
}

// Shared by all texts of one request: the expression and the values of variables.
struct Scope {
    const Variables& variables;
    Language language;
    std::map<std::string, NodePtr> known;  // variables already parsed
    std::set<std::string> open;            // variables being parsed, to detect cycles
};

enum class Place { whole, variable };  // whether equations are allowed

NodePtr parse_text(std::string_view text, Scope& scope, Place place);

class Parser {
public:
    Parser(std::vector<Token> tokens, Scope& scope) : tokens_(std::move(tokens)), scope_(scope) {}

    NodePtr run(Place place);

private:
    // Counts recursion levels, so that no input can overflow the stack.
    struct Level {
        explicit Level(Parser& p) : parser(p) {
            if (++parser.level_ > max_nesting * 2) parser.fail_nesting();
        }
        ~Level() { --parser.level_; }
        Parser& parser;
    };

    const Token& now() const { return tokens_[at_]; }
    bool at(std::string_view op) const { return now().kind == TokenKind::op && now().text == op; }
    bool accept(std::string_view op);
    static std::string shown(const Token& token);
    std::string after_previous() const;
    [[noreturn]] void fail(const std::string& what) const { fail_at(now().column, what); }
    [[noreturn]] static void fail_at(std::size_t column, const std::string& what);
    [[noreturn]] void fail_nesting() const;

    NodePtr make(Node node) const;

    // x + y = 3, x - y = 1, also in [ ].
    NodePtr equations();
    NodePtr equation();
    NodePtr equal_to(const NodePtr& left);
    NodePtr list();
    NodePtr sum();
    NodePtr product();

    // 2x, 2(x+1), (x+1)(x-1): a number or ')' followed by a name or '('.
    bool implicit_product() const;

    NodePtr signed_power();
    NodePtr primary();
    void close(const Token& opened, std::string_view sign);
    NodePtr number(const Token& token);
    NodePtr name(const Token& token);
    NodePtr variable(const Token& token);
    NodePtr call(const Token& token);

    [[noreturn]] void unknown(const Token& token, const std::string& what) const;

    std::vector<Token> tokens_;
    Scope& scope_;
    std::size_t at_ = 0;
    int level_ = 0;
};

}  // namespace data_tools::calc
