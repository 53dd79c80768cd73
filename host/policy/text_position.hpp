// Converts byte offsets to lines and columns as people count them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/place.hpp"

namespace toolhost::policy {

// Each answer reads a few hundred bytes at most, however long the text or its lines are.
class TextPosition {
public:
    TextPosition(std::string_view text, std::string file);

    // Both count from 0; the column in bytes. A position beyond its line or the text means its end.
    [[nodiscard]] Place at(int line, int byte_column) const;
    [[nodiscard]] Place at_byte(std::size_t byte) const;

private:
    [[nodiscard]] std::size_t characters_before(std::size_t byte) const;
    [[nodiscard]] Place in_line(std::size_t line, std::size_t byte) const;

    std::string_view text_;
    std::string file_;
    std::vector<std::size_t> line_starts_;
    std::vector<std::size_t> counted_;  // characters before each block of bytes
};

}  // namespace toolhost::policy
