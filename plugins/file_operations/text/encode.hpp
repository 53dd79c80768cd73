// The way back: UTF-8 as the bytes of a file's own encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/encoding.hpp"

namespace file_operations {

// With the encoding's mark; nothing where the encoding lacks one of the characters.
[[nodiscard]] std::optional<std::string> from_utf8(std::string_view text, Encoding encoding);

}  // namespace file_operations
