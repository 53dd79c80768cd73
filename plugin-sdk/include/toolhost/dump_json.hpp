// Writes a JSON value as text, identical to nlohmann's dump().
//
// Results are mostly long texts, and nlohmann decodes each of their characters. Here everything
// without escapes is copied in one piece, which takes a tenth of the time.
#ifndef TOOLHOST_DUMP_JSON_HPP
#define TOOLHOST_DUMP_JSON_HPP

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace toolhost::detail {

// Most texts are shorter, and a longer one grows only once or twice.
inline constexpr std::size_t kFirstBytes = 240;

// Uses nlohmann's dump() for rare cases.
[[nodiscard]] inline std::string dump_slowly(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The length of the UTF-8 sequence at the beginning; 0 if invalid.
[[nodiscard]] inline std::size_t utf8_sequence(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 0 || lead > 0xF4 || text.size() < length) return 0;
    // The second byte excludes overlong forms, surrogates and values above U+10FFFF.
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < least || byte(1) > most) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    return length;
}

// Whether a byte needs no escape in a JSON string, whatever its neighbours.
inline constexpr auto kPlainByte = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

// The first byte that is not plain; `end`: all are. Looks at eight bytes at a time.
[[nodiscard]] inline const char* find_special(const char* at, const char* end) {
    if constexpr (std::endian::native == std::endian::little) {
        constexpr std::uint64_t kEach = 0x0101010101010101, kTop = kEach * 0x80;
        for (; end - at >= 8; at += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, at, sizeof bytes);
            // The top bit shows which byte is special. A subtraction borrows from the bytes above
            // a special one only, so the lowest is right.
            const std::uint64_t special =
                (bytes | (bytes - kEach * 0x20) | ((bytes ^ kEach * '"') - kEach) |
                 ((bytes ^ kEach * '\\') - kEach)) &
                kTop;
            if (special != 0) return at + std::countr_zero(special) / 8;
        }
    }
    while (at != end && kPlainByte[static_cast<unsigned char>(*at)]) ++at;
    return at;
}

inline void dump_escape(char c, std::string& out) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    out += '\\';
    if (const auto at = kShort.find(c); at != std::string_view::npos) {
        out += kLetters[at];
        return;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "u00";
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
}

inline void dump_text(std::string_view text, std::string& out) {
    const char *copied = text.data(), *const end = copied + text.size();
    const char* special = find_special(copied, end);
    // Names and short words, which most texts are, are copied once and appended in one go.
    std::array<char, 64> quoted;
    if (special == end && text.size() + 2 <= quoted.size()) {
        quoted[0] = '"';
        text.copy(quoted.data() + 1, text.size());
        quoted[text.size() + 1] = '"';
        out.append(quoted.data(), text.size() + 2);
        return;
    }
    const std::size_t before = out.size();
    const auto copy_to = [&](const char* here) {
        out.append(copied, static_cast<std::size_t>(here - copied));
    };
    out += '"';
    for (; special != end; special = find_special(special, end)) {
        if (static_cast<unsigned char>(*special) < 0x80) {
            copy_to(special);
            dump_escape(*special, out);
            copied = ++special;
        } else if (const auto length =
                       utf8_sequence({special, static_cast<std::size_t>(end - special)})) {
            special += length;
        } else {  // bytes that are no text: what stands for them is nlohmann's to say
            out.resize(before);
            out += dump_slowly(std::string(text));
            return;
        }
    }
    copy_to(end);
    out += '"';
}

template <class Integer>
void dump_integer(Integer value, std::string& out) {
    std::array<char, 24> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

// Writes common numbers as nlohmann does, and leaves the others to it.
inline void dump_number(double value, std::string& out) {
    constexpr double kWhole = 1e15;  // smaller whole numbers are written with all digits
    const bool negative_zero = value == 0 && std::signbit(value);
    if (!(std::abs(value) < kWhole) || value != std::trunc(value) || negative_zero) {
        out += dump_slowly(value);
        return;
    }
    dump_integer(static_cast<std::int64_t>(value), out);
    out += ".0";
}

inline void dump_value(const nlohmann::json& json, std::string& out) {
    using Type = nlohmann::json::value_t;
    char before = '{';
    switch (json.type()) {
        case Type::object:
            for (const auto& [key, value] : *json.get_ptr<const nlohmann::json::object_t*>()) {
                out += std::exchange(before, ',');
                dump_text(key, out);
                out += ':';
                dump_value(value, out);
            }
            out += before == '{' ? "{}" : "}";
            break;
        case Type::array:
            before = '[';
            for (const auto& value : *json.get_ptr<const nlohmann::json::array_t*>()) {
                out += std::exchange(before, ',');
                dump_value(value, out);
            }
            out += before == '[' ? "[]" : "]";
            break;
        case Type::string:
            dump_text(*json.get_ptr<const std::string*>(), out);
            break;
        case Type::number_integer:
            dump_integer(*json.get_ptr<const nlohmann::json::number_integer_t*>(), out);
            break;
        case Type::number_unsigned:
            dump_integer(*json.get_ptr<const nlohmann::json::number_unsigned_t*>(), out);
            break;
        case Type::number_float:
            dump_number(*json.get_ptr<const nlohmann::json::number_float_t*>(), out);
            break;
        case Type::boolean:
            out += *json.get_ptr<const bool*>() ? "true" : "false";
            break;
        case Type::null:
            out += "null";
            break;
        default:
            out += dump_slowly(json);
    }
}

// Text from files and programs may be invalid UTF-8, which is replaced instead of throwing.
[[nodiscard]] inline std::string dump(const nlohmann::json& json) {
    std::string out;
    out.reserve(kFirstBytes);
    dump_value(json, out);
    return out;
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_DUMP_JSON_HPP
