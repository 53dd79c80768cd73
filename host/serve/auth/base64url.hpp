// Bytes as text that may stand in a header or a URL (RFC 4648, section 5; no padding).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolhost::serve {

[[nodiscard]] std::string to_base64url(std::string_view bytes);

// Strict: one text for each value. Nothing: padding, blanks, a letter of another alphabet, a length
// that cannot be, or bits behind the last byte, any of which would let one token have two forms.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace toolhost::serve
