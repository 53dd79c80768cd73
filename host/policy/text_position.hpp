// Lines and columns as people count them, from bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/place.hpp"

namespace toolhost::policy {

// Answers in the time of a few hundred bytes, however long the text or its lines are.
class TextPosition {
public:
    TextPosition(std::string_view text, std::string file);

    // Both from 0; the column in bytes. What lies beyond its line, or the text, is its end.
    [[nodiscard]] Place at(int line, int byte_column) const;
    [[nodiscard]] Place at_byte(std::size_t byte) const;

private:
    [[nodiscard]] std::size_t characters_before(std::size_t byte) const;
    [[nodiscard]] Place in_line(std::size_t line, std::size_t byte) const;

    std::string_view text_;
    std::string file_;
    std::vector<std::size_t> line_starts_;
    std::vector<std::size_t> counted_;  // characters before every block of bytes
};

}  // namespace toolhost::policy
