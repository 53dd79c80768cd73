// What a person sees: width, colour, wrapped text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost::cli {

// A terminal, and neither NO_COLOR nor a dumb one.
[[nodiscard]] bool is_coloured(int descriptor);
// Columns of the terminal that results go to: $COLUMNS, what the terminal says, or 80.
[[nodiscard]] std::size_t width();
// Its lines; 24 where it does not say.
[[nodiscard]] std::size_t height();

enum class Style { bold, dim, green, red, yellow };
// `text` in a style, if results go where colours are shown.
[[nodiscard]] std::string styled(Style style, std::string_view text);

// Text from plugins with its control characters made visible; newlines and tabs stay.
[[nodiscard]] std::string printable(std::string_view text);
// On one line of at most `columns`, "..." where it was cut. Counts code points, not bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t columns);
// Wrapped at blanks to `columns`, every line after the first indented by `indent`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);
[[nodiscard]] std::size_t columns_of(std::string_view text);
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns);

}  // namespace toolhost::cli
