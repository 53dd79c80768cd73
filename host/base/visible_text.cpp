#include "host/base/visible_text.hpp"

#include <algorithm>
#include <iterator>

#include "host/base/utf8.hpp"

namespace toolhost {
namespace {

bool is_hidden(char32_t c) {
    if (c < 0x20) return c != '\t';
    return (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

struct Range {
    char32_t first, last;
};
// U+FE00 to U+FE0F are left out: plain symbols use them.
constexpr Range kInvisible[] = {
    {0x00AD, 0x00AD},    // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180F},    // Mongolian selectors and vowel separator
    {0x200B, 0x200D},    // zero-width space, non-joiner and joiner
    {0x2060, 0x206F},    // word joiner, invisible operators, deprecated controls
    {0x3164, 0x3164},    // Hangul filler
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    {0xFFF9, 0xFFFB},    // interlinear annotations
    {0x1D173, 0x1D17A},  // musical controls
    {0xE0000, 0xE0FFF},  // tags, supplementary variation selectors
};

bool is_invisible(char32_t c) {
    return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                       [c](const Range& range) { return range.first <= c && c <= range.last; });
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
    else if (c < 0x10000)
        append_hex(out, "\\u", c, 4);
    else {  // a surrogate pair, as in JSON
        append_hex(out, "\\u", 0xD800 + ((c - 0x10000) >> 10), 4);
        append_hex(out, "\\u", 0xDC00 + ((c - 0x10000) & 0x3FF), 4);
    }
}

}  // namespace

std::string visible_text(std::string_view utf8, bool keep_newlines, bool also_invisible) {
    std::string out;
    out.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const auto start = at;
        const auto c = decode_utf8(utf8, at);
        if (!c) {
            append_hex(out, "\\x", static_cast<unsigned char>(utf8[at++]), 2);
            continue;
        }
        const bool line_end = *c == '\n' || (*c == '\r' && at < utf8.size() && utf8[at] == '\n');
        const bool hidden = is_hidden(*c) || (also_invisible && is_invisible(*c));
        if (!hidden || (line_end && keep_newlines))
            out += utf8.substr(start, at - start);
        else
            append_escape(out, *c);
    }
    return out;
}

}  // namespace toolhost
