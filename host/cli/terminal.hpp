// Output for people: width, colour, wrapped text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost::cli {

// Whether it is a terminal with colours and NO_COLOR is not set.
[[nodiscard]] bool is_coloured(int descriptor);
// Columns of the terminal for results: $COLUMNS, the terminal's width, or 80.
[[nodiscard]] std::size_t width();
// Its lines; 24 if unknown.
[[nodiscard]] std::size_t height();

enum class Style { bold, dim, green, red, yellow };
// `text` in a style, if results are shown with colours.
[[nodiscard]] std::string styled(Style style, std::string_view text);

// Makes control characters in text from plugins visible; keeps newlines and tabs.
[[nodiscard]] std::string printable(std::string_view text);
// One line of at most `columns` code points; truncated text ends in "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t columns);
// Wrapped at spaces to `columns`, with every line after the first indented by `indent`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);
[[nodiscard]] std::size_t columns_of(std::string_view text);
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

}  // namespace toolhost::cli
