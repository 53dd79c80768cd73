// Splits an expression's text into tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "outcome.hpp"

namespace data_tools::calc {

enum class TokenKind { number, name, op, end };

struct Token {
    TokenKind kind;
    std::string text;    // of an operator: + - * / % ^ ! ( ) , = [ ]
    std::size_t column;  // from 1, in characters
};

// Ends with a token of kind `end`. Accepts ** for ^, == for = and the printed signs × · ÷ − π ∞.
Outcome<std::vector<Token>> tokenize(std::string_view text);

}  // namespace data_tools::calc
