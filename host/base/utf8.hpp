// The little of UTF-8 that lengths, patterns and previews need.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace toolhost {

// The character at `at`, which moves behind it. Nothing (and `at` unmoved) where it is not UTF-8.
[[nodiscard]] std::optional<char32_t> decode_utf8(std::string_view text, std::size_t& at);

// Characters, not bytes. Counts leading bytes, so broken UTF-8 has some length too.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

// Whether the byte continues a character that an earlier one begins.
[[nodiscard]] constexpr bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The first characters that fit into so many bytes: all of the text, or whole characters of it.
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
