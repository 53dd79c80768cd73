#include "text/names.hpp"

#include <cstring>

namespace file_operations {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
    const unsigned first = byte_at(text, at);
    if (at >= text.size()) return 0;
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
    // The range of the second byte excludes overlong forms, surrogates and values beyond Unicode.
    const unsigned second = byte_at(text, at + 1);
    const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
    }
    return length;
}

std::size_t ascii_end(std::string_view text, std::size_t at) {
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    std::uint64_t words[4];
    for (; text.size() - at >= sizeof words; at += sizeof words) {
        std::memcpy(words, text.data() + at, sizeof words);
        if (((words[0] | words[1] | words[2] | words[3]) & high_bits) != 0) break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
    return at;
}

std::string shown_name(std::string_view name) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    bool escaped = false;
    for (std::size_t i = 0; i < name.size();) {
        const std::size_t length = utf8_length(name, i);
        const unsigned char byte = static_cast<unsigned char>(name[i]);
        if (length == 0 || byte < 0x20 || byte == 0x7F) {
            escaped = true;
            out += "\\x";
            out += digits[byte >> 4];
            out += digits[byte & 15];
            ++i;
        } else {
            if (name[i] == '\\') out += '\\';
            out.append(name, i, length);
            i += length;
        }
    }
    return escaped ? out : std::string(name);
}

std::string name_bytes(std::string_view shown) {
    std::string out;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i] != '\\' || i + 1 == shown.size()) {
            out += shown[i];
            continue;
        }
        const int high = i + 3 < shown.size() ? hex_value(shown[i + 2]) : -1;
        const int low = i + 3 < shown.size() ? hex_value(shown[i + 3]) : -1;
        if (shown[i + 1] == 'x' && high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 3;
        } else {
            out += shown[++i];
        }
    }
    return out;
}

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t plain = ascii_end(text, i);
        out.append(text, i, plain - i);
        i = plain;
        if (i == text.size()) break;
        const std::size_t length = utf8_length(text, i);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++i;
        } else {
            out.append(text, i, length);
            i += length;
        }
    }
    return out;
}

void append_utf8(std::uint32_t code, std::string& out) {
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
    const auto tail = [&](unsigned shift) {
        out += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

}  // namespace file_operations
