#include "json/place.hpp"

#include <algorithm>
#include <array>

namespace data_tools::json {
namespace {

constexpr std::size_t excerpt_before = 40;  // bytes shown on each side of the position
constexpr std::size_t excerpt_after = 20;

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

struct Hint {
    std::string_view start, text;
};

constexpr auto hints = std::to_array<Hint>({
    {"'", "strings and keys need double quotes"},
    {"//", "JSON has no comments"},
    {"/*", "JSON has no comments"},
    {"#", "JSON has no comments"},
    {"True", "write true"},
    {"False", "write false"},
    {"None", "write null"},
    {"undefined", "write null"},
    {"NaN", "JSON has no NaN; use null or a string"},
    {"Infinity", "JSON has no infinity; use null or a string"},
    {"-Infinity", "JSON has no infinity; use null or a string"},
    {"+", "numbers have no plus sign"},
    {".", "numbers start with a digit"},
    {"```", "remove the code fence around the JSON"},
    {"`", "strings and keys need double quotes"},
});

}  // namespace

std::string excerpt_at(std::string_view text, std::size_t byte) {
    byte = std::min(byte, text.size());
    const std::size_t newline = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t line_end = std::min(text.find('\n', byte), text.size());
    std::size_t from = byte - line > excerpt_before ? byte - excerpt_before : line;
    while (from < byte && continues(text[from])) ++from;
    std::size_t to = std::min(line_end, byte + excerpt_after);
    while (to < line_end && continues(text[to])) ++to;
    std::string shown(text.substr(from, to - from));
    for (char& c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    const std::string lead = from > line ? "..." : "";
    return lead + shown + (to < line_end ? "..." : "") + "\n" +
           std::string(lead.size() + characters(text.substr(from, byte - from)), ' ') + "^";
}

SyntaxError error_at(std::string_view text, std::size_t byte, std::string what) {
    byte = std::min(byte, text.size());
    const std::string_view before = text.substr(0, byte);
    const std::size_t newline = before.rfind('\n');
    const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
    SyntaxError error;
    error.what = std::move(what);
    error.byte = byte;
    error.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    error.column = 1 + characters(before.substr(line_start));
    error.excerpt = excerpt_at(text, byte);
    return error;
}

std::string hint_at(std::string_view text, std::size_t byte) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "the text is empty";
    const std::string_view here = text.substr(std::min(byte, text.size()));
    if (here.empty()) return "the text ends too early";
    const std::size_t previous = text.substr(0, byte).find_last_not_of(" \t\r\n");
    const bool after_comma = previous != std::string_view::npos && text[previous] == ',';
    if (after_comma && (here[0] == '}' || here[0] == ']')) return "remove the comma before it";
    // A word such as True fails at its first letter or later: search from its start.
    std::size_t word = byte;
    const auto is_letter = [&](std::size_t k) {
        return (text[k] >= 'a' && text[k] <= 'z') || (text[k] >= 'A' && text[k] <= 'Z');
    };
    while (word > 0 && is_letter(word - 1)) --word;
    for (const Hint& hint : hints) {
        if (here.substr(0, hint.start.size()) == hint.start ||
            text.substr(word, hint.start.size()) == hint.start) {
            return std::string(hint.text);
        }
    }
    return "";
}

}  // namespace data_tools::json
