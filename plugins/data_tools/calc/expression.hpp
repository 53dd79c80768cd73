// An expression as a tree: the only thing that is passed on to giac. The grammar has numbers,
// names, + - * / % ^ **, !, calls and parentheses; assignments, strings, comparisons and statements
// are impossible. Equations (a = b, one or a list of them) and matrices ([[1,2],[3,4]]) are two
// further languages, each for the mode that needs it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "calc/vocabulary.hpp"
#include "outcome.hpp"

namespace data_tools::calc {

inline constexpr std::size_t max_expression_bytes = 4096;
inline constexpr int max_nesting = 64;          // parentheses, signs, powers, calls, variables
inline constexpr std::size_t max_nodes = 1500;  // after variables were substituted
inline constexpr std::size_t max_literal_digits = 1000;
inline constexpr int max_literal_exponent = 10000;
inline constexpr std::size_t max_variables = 100;

enum class Kind {
    integer,
    decimal,
    constant,
    symbol,
    negate,
    factorial,
    add,
    subtract,
    multiply,
    divide,
    power,
    modulo,
    call,
    equation,  // of two sides
    list       // of equations, of a vector's numbers, of a matrix's rows
};

struct Node;
using NodePtr = std::shared_ptr<const Node>;  // shared: a variable used twice is one subtree

struct Node {
    Kind kind;
    std::string text = {};  // digits, or the name
    std::vector<NodePtr> args = {};
    const Function* function = nullptr;  // of a call
    const Constant* constant = nullptr;  // of a constant
    std::size_t size = 1;                // number of nodes; shared ones count each time
    int nesting = 0;                     // number of levels; a chain such as 1+2+3 counts as one
};

using Variables = std::map<std::string, std::string>;  // name -> expression

// Parses the text and substitutes the variables. A failure names the column (from 1) and the cause.
// In the language of equations the root is a list of them, and a single expression is taken as = 0;
// in that of matrices it may be one equation.
Outcome<NodePtr> parse_expression(std::string_view text, const Variables& variables = {},
                                  Language language = Language::arithmetic);

}  // namespace data_tools::calc
