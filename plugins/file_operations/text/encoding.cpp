#include "text/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// The characters 0x80 to 0x9F, in which Windows-1252 differs from Latin-1.
constexpr std::array<std::uint16_t, 32> windows_signs{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

struct Known {
    Encoding encoding;
    std::string_view name;
    std::string_view mark;
};
// UTF-32 before UTF-16, because its mark begins like that of UTF-16.
constexpr std::array<Known, 8> known_encodings{{
    {Encoding::utf8_bom, "UTF-8 with BOM", "\xEF\xBB\xBF"},
    {Encoding::utf32le, "UTF-32LE", std::string_view("\xFF\xFE\0\0", 4)},
    {Encoding::utf32be, "UTF-32BE", std::string_view("\0\0\xFE\xFF", 4)},
    {Encoding::utf16le, "UTF-16LE", "\xFF\xFE"},
    {Encoding::utf16be, "UTF-16BE", "\xFE\xFF"},
    {Encoding::utf8, "UTF-8", ""},
    {Encoding::windows1252, "Windows-1252", ""},
    {Encoding::binary, "binary", ""},
}};

const Known& known(Encoding encoding) {
    for (const Known& one : known_encodings) {
        if (one.encoding == encoding) return one;
    }
    return known_encodings.back();
}

std::uint32_t unit_at(std::string_view bytes, std::size_t at, std::size_t width, bool big) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + (big ? i : width - 1 - i)]);
        value = (value << 8) | byte;
    }
    return value;
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' &&
           byte != 0x1B && byte != '\b';
}

// Whether the rest at `at` could be the beginning of a character.
bool is_cut(std::string_view head, std::size_t at) {
    const auto lead = static_cast<unsigned char>(head[at]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (head.size() - at >= length) return false;
    for (const char c : head.substr(at + 1))
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) return false;
    return true;
}

bool looks_like_utf8(std::string_view head, bool whole) {
    for (std::size_t i = ascii_end(head, 0); i < head.size(); i = ascii_end(head, i)) {
        const std::size_t length = utf8_length(head, i);
        if (length == 0) return !whole && is_cut(head, i);
        i += length;
    }
    return true;
}

}  // namespace

std::string_view name_of(Encoding encoding) {
    return known(encoding).name;
}

std::size_t bom_size(Encoding encoding) {
    return known(encoding).mark.size();
}

Encoding detect_encoding(std::string_view head, bool whole) {
    for (const Known& one : known_encodings) {
        if (!one.mark.empty() && head.substr(0, one.mark.size()) == one.mark) return one.encoding;
    }
    if (head.find('\0') != std::string_view::npos) return Encoding::binary;
    if (looks_like_utf8(head, whole)) return Encoding::utf8;
    // Text in one-byte encodings has almost no control characters; compressed data has many.
    const auto controls =
        static_cast<std::size_t>(std::count_if(head.begin(), head.end(), is_control));
    return controls * 50 > head.size() ? Encoding::binary : Encoding::windows1252;
}

void Decoder::decode_utf8(std::string_view bytes, bool last, std::string& out) {
    std::size_t begin = 0;  // of valid text that is not written yet
    for (std::size_t i = 0; (i = ascii_end(bytes, i)) < bytes.size();) {
        const std::size_t length = utf8_length(bytes, i);
        if (length != 0) {
            i += length;
            continue;
        }
        out.append(bytes, begin, i - begin);
        if (!last && bytes.size() - i < 4) {
            rest_.assign(bytes.substr(i));
            return;
        }
        out += replacement;
        replaced_ = true;
        begin = ++i;
    }
    out.append(bytes, begin);
}

void Decoder::decode_wide(std::string_view bytes, bool last, std::string& out) {
    const bool big = encoding_ == Encoding::utf16be || encoding_ == Encoding::utf32be;
    const bool pairs = encoding_ == Encoding::utf16le || encoding_ == Encoding::utf16be;
    const std::size_t width = pairs ? 2 : 4;
    std::size_t i = 0;
    while (i + width <= bytes.size()) {
        std::uint32_t code = unit_at(bytes, i, width, big);
        std::size_t used = width;
        if (pairs && code >= 0xD800 && code < 0xDC00) {
            if (i + 4 > bytes.size() && !last) break;
            const std::uint32_t low = i + 4 <= bytes.size() ? unit_at(bytes, i + 2, 2, big) : 0;
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                used = 4;
            }
        }
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) replaced_ = true;
        append_utf8(code, out);
        i += used;
    }
    rest_.assign(bytes.substr(i));
    if (last && !rest_.empty()) {
        out += replacement;
        replaced_ = true;
    }
}

void Decoder::decode(std::string_view bytes, bool last, std::string& out) {
    std::string joined;
    if (!rest_.empty()) {
        joined = rest_ + std::string(bytes);
        rest_.clear();
        bytes = joined;
    }
    switch (encoding_) {
        case Encoding::utf8:
        case Encoding::utf8_bom:
        case Encoding::binary:
            return decode_utf8(bytes, last, out);
        case Encoding::windows1252:
            for (const char c : bytes) {
                const auto byte = static_cast<unsigned char>(c);
                const bool sign = byte >= 0x80 && byte < 0xA0;
                append_utf8(sign ? windows_signs[byte - 0x80U] : byte, out);
            }
            return;
        default:
            return decode_wide(bytes, last, out);
    }
}

std::string to_utf8(std::string_view bytes, Encoding encoding, bool* replaced) {
    Decoder decoder(encoding);
    std::string out;
    out.reserve(bytes.size());
    decoder.decode(bytes.substr(bom_size(encoding)), true, out);
    if (replaced) *replaced = decoder.replaced();
    return out;
}

}  // namespace file_operations
