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

[[nodiscard]] inline std::optional<char32_t> hex_value(char c) {
    if (c >= '0' && c <= '9') return static_cast<char32_t>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<char32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<char32_t>(c - 'A' + 10);
    return std::nullopt;
}

}  // namespace toolhost
