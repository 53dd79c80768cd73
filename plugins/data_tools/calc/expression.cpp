#include "calc/expression.hpp"

#include <algorithm>

#include "calc/parser.hpp"

namespace data_tools::calc {
namespace {

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

NodePtr Parser::run(Place place) {
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

bool Parser::accept(std::string_view op) {
    if (!at(op)) return false;
    ++at_;
    return true;
}

std::string Parser::shown(const Token& token) {
    return token.kind == TokenKind::end ? "end of the expression" : quoted(token.text);
}

std::string Parser::after_previous() const {
    return at_ == 0 ? "" : " after " + shown(tokens_[at_ - 1]);
}

void Parser::fail_at(std::size_t column, const std::string& what) {
    throw SyntaxError{"column " + std::to_string(column) + ": " + what};
}

void Parser::fail_nesting() const {
    fail("nested more than " + std::to_string(max_nesting) + " levels deep");
}

NodePtr Parser::make(Node node) const {
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

NodePtr Parser::equations() {
    const Token opened = now();
    const bool brackets = accept("[");
    std::vector<NodePtr> all;
    do all.push_back(equation());
    while (accept(","));
    if (brackets) close(opened, "]");
    return make({.kind = Kind::list, .args = std::move(all)});
}

NodePtr Parser::equation() {
    const Token opened = now();
    if (opened.text == "Eq" && tokens_[at_ + 1].text == "(") {
        ++at_;
        ++at_;
        NodePtr left = sum();
        if (!accept(",")) fail("Eq needs two sides: Eq(x^2, 4)");
        NodePtr right = sum();
        close(opened, ")");
        return make({.kind = Kind::equation, .args = {left, right}});
    }
    NodePtr left = sum();
    if (at("=")) return equal_to(left);
    return make(
        {.kind = Kind::equation, .args = {left, make({.kind = Kind::integer, .text = "0"})}});
}

NodePtr Parser::equal_to(const NodePtr& left) {
    ++at_;
    return make({.kind = Kind::equation, .args = {left, sum()}});
}

NodePtr Parser::list() {
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

NodePtr parse_text(std::string_view text, Scope& scope, Place place) {
    if (text.size() > max_expression_bytes) {
        throw SyntaxError{"longer than " + std::to_string(max_expression_bytes) + " bytes"};
    }
    auto tokens = tokenize(text);
    if (!tokens) throw SyntaxError{tokens.error()};
    return Parser(*std::move(tokens), scope).run(place);
}

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
