#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "body/html_tokens.hpp"

namespace http_tool {
namespace {

constexpr std::size_t kLongestEntity = 12;

struct Entity {
    std::string_view name;
    std::uint32_t character;
};
// Sorted for the search. The common ones; others are left as written.
constexpr Entity kEntities[] = {
    {"AElig", 0xC6},    {"Aacute", 0xC1},   {"Acirc", 0xC2},    {"Agrave", 0xC0},
    {"Aring", 0xC5},    {"Atilde", 0xC3},   {"Auml", 0xC4},     {"Ccedil", 0xC7},
    {"Delta", 0x394},   {"Eacute", 0xC9},   {"Ecirc", 0xCA},    {"Egrave", 0xC8},
    {"Euml", 0xCB},     {"Iacute", 0xCD},   {"Icirc", 0xCE},    {"Igrave", 0xCC},
    {"Iuml", 0xCF},     {"Ntilde", 0xD1},   {"OElig", 0x152},   {"Oacute", 0xD3},
    {"Ocirc", 0xD4},    {"Ograve", 0xD2},   {"Omega", 0x3A9},   {"Oslash", 0xD8},
    {"Otilde", 0xD5},   {"Ouml", 0xD6},     {"Scaron", 0x160},  {"Sigma", 0x3A3},
    {"Uacute", 0xDA},   {"Ucirc", 0xDB},    {"Ugrave", 0xD9},   {"Uuml", 0xDC},
    {"Yacute", 0xDD},   {"aacute", 0xE1},   {"acirc", 0xE2},    {"acute", 0xB4},
    {"aelig", 0xE6},    {"agrave", 0xE0},   {"alpha", 0x3B1},   {"amp", '&'},
    {"apos", '\''},     {"aring", 0xE5},    {"asymp", 0x2248},  {"atilde", 0xE3},
    {"auml", 0xE4},     {"bdquo", 0x201E},  {"beta", 0x3B2},    {"brvbar", 0xA6},
    {"bull", 0x2022},   {"ccedil", 0xE7},   {"cent", 0xA2},     {"check", 0x2713},
    {"copy", 0xA9},     {"darr", 0x2193},   {"deg", 0xB0},      {"delta", 0x3B4},
    {"divide", 0xF7},   {"eacute", 0xE9},   {"ecirc", 0xEA},    {"egrave", 0xE8},
    {"emsp", ' '},      {"ensp", ' '},      {"epsilon", 0x3B5}, {"equiv", 0x2261},
    {"eth", 0xF0},      {"euml", 0xEB},     {"euro", 0x20AC},   {"frac12", 0xBD},
    {"frac14", 0xBC},   {"frac34", 0xBE},   {"gamma", 0x3B3},   {"ge", 0x2265},
    {"gt", '>'},        {"harr", 0x2194},   {"hearts", 0x2665}, {"hellip", 0x2026},
    {"iacute", 0xED},   {"icirc", 0xEE},    {"iexcl", 0xA1},    {"igrave", 0xEC},
    {"infin", 0x221E},  {"iquest", 0xBF},   {"iuml", 0xEF},     {"lambda", 0x3BB},
    {"laquo", 0xAB},    {"larr", 0x2190},   {"ldquo", 0x201C},  {"le", 0x2264},
    {"lsaquo", 0x2039}, {"lsquo", 0x2018},  {"lt", '<'},        {"mdash", 0x2014},
    {"micro", 0xB5},    {"middot", 0xB7},   {"minus", 0x2212},  {"mu", 0x3BC},
    {"nbsp", ' '},      {"ndash", 0x2013},  {"ne", 0x2260},     {"not", 0xAC},
    {"ntilde", 0xF1},   {"oacute", 0xF3},   {"ocirc", 0xF4},    {"oelig", 0x153},
    {"ograve", 0xF2},   {"omega", 0x3C9},   {"ordf", 0xAA},     {"ordm", 0xBA},
    {"oslash", 0xF8},   {"otilde", 0xF5},   {"ouml", 0xF6},     {"para", 0xB6},
    {"permil", 0x2030}, {"pi", 0x3C0},      {"plusmn", 0xB1},   {"pound", 0xA3},
    {"quot", '"'},      {"raquo", 0xBB},    {"rarr", 0x2192},   {"rdquo", 0x201D},
    {"reg", 0xAE},      {"rsaquo", 0x203A}, {"rsquo", 0x2019},  {"sbquo", 0x201A},
    {"scaron", 0x161},  {"sect", 0xA7},     {"shy", 0xAD},      {"sigma", 0x3C3},
    {"sum", 0x2211},    {"sup1", 0xB9},     {"sup2", 0xB2},     {"sup3", 0xB3},
    {"szlig", 0xDF},    {"thinsp", ' '},    {"thorn", 0xFE},    {"times", 0xD7},
    {"trade", 0x2122},  {"uacute", 0xFA},   {"uarr", 0x2191},   {"ucirc", 0xFB},
    {"ugrave", 0xF9},   {"uml", 0xA8},      {"uuml", 0xFC},     {"yacute", 0xFD},
    {"yen", 0xA5},      {"yuml", 0xFF},     {"zwj", 0x200D},    {"zwnj", 0x200C},
};
static_assert(std::is_sorted(std::begin(kEntities), std::end(kEntities),
                             [](const Entity& a, const Entity& b) { return a.name < b.name; }));

void append_utf8(std::string& to, std::uint32_t character) {
    auto add = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (character < 0x80) {
        add(character);
    } else if (character < 0x800) {
        add(0xC0 | character >> 6);
        add(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        add(0xE0 | character >> 12);
        add(0x80 | (character >> 6 & 0x3F));
        add(0x80 | (character & 0x3F));
    } else {
        add(0xF0 | character >> 18);
        add(0x80 | (character >> 12 & 0x3F));
        add(0x80 | (character >> 6 & 0x3F));
        add(0x80 | (character & 0x3F));
    }
}

// The character of the entity between & and ;, or 0 if unknown.
std::uint32_t character_of(std::string_view name) {
    if (!name.empty() && name.front() == '#') {
        const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
        const auto digits = name.substr(hex ? 2 : 1);
        std::uint32_t value = 0;
        const auto end =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
        if (digits.empty() || end.ec != std::errc{} || end.ptr != digits.data() + digits.size())
            return 0;
        const bool none = value > 0x10FFFF || (value >= 0xD800 && value < 0xE000);
        return none ? 0xFFFD : value == 0xA0 ? ' ' : value;
    }
    const auto* found = std::lower_bound(
        std::begin(kEntities), std::end(kEntities), name,
        [](const Entity& entity, std::string_view wanted) { return entity.name < wanted; });
    return found != std::end(kEntities) && found->name == name ? found->character : 0;
}

}  // namespace

std::string without_entities(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto ampersand = std::min(text.find('&', at), text.size());
        plain += text.substr(at, ampersand - at);
        at = ampersand;
        if (at == text.size()) break;
        const auto end = text.substr(at + 1, kLongestEntity).find(';');
        const std::uint32_t character =
            end == std::string_view::npos ? 0 : character_of(text.substr(at + 1, end));
        if (character == 0) {
            plain += '&';
            ++at;
        } else {
            append_utf8(plain, character);
            at += end + 2;
        }
    }
    return plain;
}

}  // namespace http_tool
