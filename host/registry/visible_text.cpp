#include "host/registry/visible_text.hpp"

#include "host/registry/json_text.hpp"

namespace toolhost {
namespace {

// Length of the UTF-8 sequence that starts with `lead`; the text is known to be valid.
std::size_t sequence_length(unsigned char lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

char32_t decode(std::string_view sequence) {
    const auto lead = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return lead;
    char32_t value = lead & (0x7Fu >> sequence.size());
    for (char c : sequence.substr(1)) value = value << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
    return value;
}

bool is_hidden(char32_t c) {
    if (c < 0x20) return c != '\t';
    return (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void append_hex(std::string& out, const char* mark, char32_t value, int digits) {
    out += mark;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += "0123456789abcdef"[value >> shift & 0xF];
}

void append_escape(std::string& out, char32_t c) {
    if (c == '\n')
        out += "\\n";
    else if (c == '\r')
        out += "\\r";
    else
        append_hex(out, "\\u", c, 4);
}

void append_visible(std::string& out, std::string_view valid, bool keep_newlines) {
    for (std::size_t at = 0; at < valid.size();) {
        const auto sequence =
            valid.substr(at, sequence_length(static_cast<unsigned char>(valid[at])));
        const auto c = decode(sequence);
        at += sequence.size();
        const bool line_end = c == '\n' || (c == '\r' && at < valid.size() && valid[at] == '\n');
        if (!is_hidden(c) || (line_end && keep_newlines))
            out += sequence;
        else
            append_escape(out, c);
    }
}

}  // namespace

std::string visible_text(std::string_view utf8, bool keep_newlines) {
    std::string out;
    out.reserve(utf8.size());
    for (;;) {
        const auto invalid = find_invalid_utf8(utf8);
        append_visible(out, utf8.substr(0, invalid), keep_newlines);
        if (invalid == std::string_view::npos) return out;
        append_hex(out, "\\x", static_cast<unsigned char>(utf8[invalid]), 2);
        utf8.remove_prefix(invalid + 1);
    }
}

}  // namespace toolhost
