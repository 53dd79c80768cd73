// Encodes UTF-8 in a file's own encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/encoding.hpp"

namespace file_operations {

// Includes the byte order mark; nothing if the encoding lacks one of the characters.
[[nodiscard]] std::optional<std::string> from_utf8(std::string_view text, Encoding encoding);

}  // namespace file_operations
