#include "host/serve/auth/base64url.hpp"

#include <array>
#include <cstdint>

namespace toolhost::serve {
namespace {

constexpr std::string_view kBase64Letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr auto kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kBase64Letters.size(); ++i)
        values[static_cast<unsigned char>(kBase64Letters[i])] = static_cast<std::int8_t>(i);
    return values;
}();

}  // namespace

std::string to_base64url(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : bytes) {
        held = held << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6) text += kBase64Letters[held >> (bits - 6) & 63];
    }
    if (bits > 0) text += kBase64Letters[held << (6 - bits) & 63];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        const auto value = kValues[static_cast<unsigned char>(c)];
        if (value < 0) return std::nullopt;
        held = held << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(held >> bits & 0xff);
    }
    if ((held & ((1u << bits) - 1)) != 0) return std::nullopt;
    return bytes;
}

}  // namespace toolhost::serve
