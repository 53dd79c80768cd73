// UTF-8 functions for lengths, patterns and previews.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace toolhost {

// Decodes the character at `at` and advances `at`. Invalid UTF-8 returns nothing and leaves `at`.
[[nodiscard]] std::optional<char32_t> decode_utf8(std::string_view text, std::size_t& at);

// Counts characters, not bytes. Counts leading bytes, so invalid UTF-8 has a length too.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

// Whether the byte is a continuation byte.
[[nodiscard]] constexpr bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The longest prefix of whole characters that has at most `bytes` bytes.
[[nodiscard]] std::string_view fitting_characters(std::string_view text, std::size_t bytes);

// The first `count` characters.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t count);

[[nodiscard]] inline std::optional<char32_t> hex_value(char c) {
    if (c >= '0' && c <= '9') return static_cast<char32_t>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<char32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<char32_t>(c - 'A' + 10);
    return std::nullopt;
}

}  // namespace toolhost
