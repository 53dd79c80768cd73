// File names are bytes, but people and JSON need UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace file_operations {

// The length of the UTF-8 character that starts here; 0 if invalid.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);
// The end of the ASCII text at the position: most text is only ASCII, and is skipped fast.
[[nodiscard]] std::size_t ascii_end(std::string_view text, std::size_t at);

// Escapes control characters and invalid UTF-8 as \xNN. A name that needs no escapes is unchanged,
// including its backslashes.
[[nodiscard]] std::string shown_name(std::string_view name);
// The inverse of shown_name().
[[nodiscard]] std::string name_bytes(std::string_view shown);

// Replaces every invalid byte by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);
void append_utf8(std::uint32_t code_point, std::string& out);
// The longest prefix of whole characters with at most `most` bytes.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

}  // namespace file_operations
