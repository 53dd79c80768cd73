#include "host/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "host/base/utf8.hpp"
#include "host/base/visible_text.hpp"
#include "host/cli/result_stream.hpp"

namespace toolhost::cli {
namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kDefaultHeight = 24;

// A variable's value if it is a number from 1 to 10000.
std::optional<std::size_t> number_in(const char* variable) {
    const char* text = std::getenv(variable);
    if (!text) return std::nullopt;
    std::size_t value = 0;
    const auto* end = text + std::strlen(text);
    const auto [at, fault] = std::from_chars(text, end, value);
    if (fault != std::errc() || at != end || value < 1 || value > 10000) return std::nullopt;
    return value;
}

const char* code(Style style) {
    switch (style) {
        case Style::bold:
            return "\x1b[1m";
        case Style::dim:
            return "\x1b[2m";
        case Style::green:
            return "\x1b[32m";
        case Style::red:
            return "\x1b[31m";
        case Style::yellow:
            return "\x1b[33m";
    }
    return "";
}

}  // namespace

bool is_coloured(int descriptor) {
    const char* plain = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    return ::isatty(descriptor) == 1 && !(plain && *plain) && kind &&
           std::string_view(kind) != "dumb";
}

std::size_t width() {
    if (const auto columns = number_in("COLUMNS")) return std::max(*columns, kNarrowest);
    winsize size{};
    if (::ioctl(result_descriptor(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kDefaultWidth;
    return std::max<std::size_t>(size.ws_col, kNarrowest);
}

std::size_t height() {
    winsize size{};
    if (::ioctl(result_descriptor(), TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return kDefaultHeight;
    return size.ws_row;
}

std::string styled(Style style, std::string_view text) {
    static const bool coloured = is_coloured(result_descriptor());
    if (!coloured) return std::string(text);
    return code(style) + std::string(text) + "\x1b[0m";
}

std::string printable(std::string_view text) {
    return visible_text(text, true);
}

std::size_t columns_of(std::string_view text) {
    return count_characters(text);
}

std::string padded(std::string_view text, std::size_t columns) {
    std::string out(text);
    for (auto has = columns_of(text); has < columns; ++has) out += ' ';
    return out;
}

std::string one_line(std::string_view text, std::size_t columns) {
    std::string flat;
    for (char c : printable(text)) {
        bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank)
            flat += c;
        else if (!flat.empty() && flat.back() != ' ')
            flat += ' ';
    }
    if (!flat.empty() && flat.back() == ' ') flat.pop_back();
    if (columns_of(flat) <= columns) return flat;
    std::size_t kept = 0, end = 0;
    while (end < flat.size() && (kept + 3 < columns || continues_character(flat[end])))
        kept += !continues_character(flat[end++]);
    while (end > 0 && flat[end - 1] == ' ') --end;
    return flat.substr(0, end) + "...";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
    const std::size_t room = columns > indent + 20 ? columns - indent : 20;
    std::string out, safe = printable(text);
    std::string_view rest = safe;
    std::size_t on_line = 0;
    auto new_line = [&] {
        out += '\n' + std::string(indent, ' ');
        on_line = 0;
    };
    while (!rest.empty()) {
        auto end = rest.find_first_of(" \n");
        auto word = rest.substr(0, end);
        if (on_line > 0 && on_line + 1 + columns_of(word) > room) new_line();
        if (!word.empty()) {
            if (on_line > 0) out += ' ';
            on_line += columns_of(word) + (on_line > 0 ? 1 : 0);
            out += word;
        }
        if (end == std::string_view::npos) break;
        if (rest[end] == '\n') new_line();
        rest.remove_prefix(end + 1);
    }
    return out;
}

}  // namespace toolhost::cli
