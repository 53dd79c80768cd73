// Names of files are bytes; what people and JSON see is UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace file_operations {

// The length of the UTF-8 character that starts here; 0 if invalid.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
// Where the ASCII that is at the position ends: most text is nothing else, and is passed over fast.
[[nodiscard]] std::size_t ascii_end(std::string_view text, std::size_t at);

// Control characters and bytes that are no UTF-8 as \xNN. A name that needs none of it
// stays as it is, backslashes included.
[[nodiscard]] std::string shown_name(std::string_view name);
// The bytes of what shown_name() wrote.
[[nodiscard]] std::string name_bytes(std::string_view shown);

// Every byte that is no UTF-8 as U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);
void append_utf8(std::uint32_t code_point, std::string& out);
// The first bytes of the text, at most so many, and never half a character.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

}  // namespace file_operations
