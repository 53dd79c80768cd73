#include "text/encode.hpp"

#include <cstdint>
#include <map>

#include "text/names.hpp"

namespace file_operations {
namespace {

std::uint32_t code_at(std::string_view text, std::size_t at, std::size_t length) {
    static constexpr unsigned first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t code = static_cast<unsigned char>(text[at]) & first_bits[length];
    for (std::size_t i = 1; i < length; ++i) {
        code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    return code;
}

void put_unit(std::uint32_t value, std::size_t width, bool big, std::string& out) {
    for (std::size_t i = 0; i < width; ++i) {
        const std::size_t shift = 8 * (big ? width - 1 - i : i);
        out += static_cast<char>((value >> shift) & 0xFF);
    }
}

void put_wide(std::uint32_t code, Encoding encoding, std::string& out) {
    const bool big = encoding == Encoding::utf16be || encoding == Encoding::utf32be;
    if (encoding == Encoding::utf32le || encoding == Encoding::utf32be) {
        put_unit(code, 4, big, out);
    } else if (code < 0x10000) {
        put_unit(code, 2, big, out);
    } else {
        put_unit(0xD800 + ((code - 0x10000) >> 10), 2, big, out);
        put_unit(0xDC00 + ((code - 0x10000) & 0x3FF), 2, big, out);
    }
}

// The inverse of the decoder, so that the two are always consistent.
const std::map<std::string, char, std::less<>>& windows_bytes() {
    static const auto table = [] {
        std::map<std::string, char, std::less<>> out;
        for (int byte = 0; byte < 256; ++byte) {
            const char c = static_cast<char>(byte);
            out.emplace(to_utf8({&c, 1}, Encoding::windows1252, nullptr), c);
        }
        return out;
    }();
    return table;
}

}  // namespace

std::optional<std::string> from_utf8(std::string_view text, Encoding encoding) {
    std::string out;
    if (encoding == Encoding::utf8 || encoding == Encoding::binary) return std::string(text);
    if (encoding == Encoding::utf8_bom) return "\xEF\xBB\xBF" + std::string(text);
    const bool one_byte = encoding == Encoding::windows1252;
    if (!one_byte) put_wide(0xFEFF, encoding, out);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0) return std::nullopt;
        if (one_byte) {
            const auto found = windows_bytes().find(text.substr(i, length));
            if (found == windows_bytes().end()) return std::nullopt;
            out += found->second;
        } else {
            put_wide(code_at(text, i, length), encoding, out);
        }
        i += length;
    }
    return out;
}

}  // namespace file_operations
