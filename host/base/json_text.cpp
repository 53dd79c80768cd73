#include "host/base/json_text.hpp"

#include <algorithm>

#include "toolhost/dump_json.hpp"
#include "toolhost/parse_json.hpp"

namespace toolhost {
namespace {

// nlohmann parses any depth, but comparing, dumping and copying such a value recurses.
std::size_t find_too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth) return i;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return std::string_view::npos;
}

JsonFault fault(JsonFault::Kind kind, std::string_view text, std::size_t byte, std::string what) {
    std::string_view before = text.substr(0, byte);
    auto line = 1 + std::count(before.begin(), before.end(), '\n');
    auto newline = before.rfind('\n');
    auto column = byte - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    return {kind, byte,
            "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                std::move(what)};
}

// nlohmann's message starts with its own name and position; ours has both already.
std::string without_prefix(std::string what) {
    if (auto at = what.find("syntax error"); at != std::string::npos) return what.substr(at);
    if (auto at = what.find("] "); at != std::string::npos) return what.substr(at + 2);
    return what;
}

// nlohmann quotes the whole token, which may be as long as the text and end inside a character.
std::string readable(std::string what) {
    constexpr std::size_t kept = 160;  // at each end
    what = without_prefix(std::move(what));
    if (what.size() > 2 * kept) what.replace(kept, what.size() - 2 * kept, "...");
    for (auto at = find_invalid_utf8(what); at != std::string::npos; at = find_invalid_utf8(what))
        what.erase(at, 1);
    return what;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const bool ascii = static_cast<unsigned char>(text[i]) < 0x80;
        const auto length = ascii ? 1 : detail::utf8_sequence(text.substr(i));
        if (length == 0) return i;
        i += length;
    }
    return std::string_view::npos;
}

bool has_more_values(std::string_view text, std::size_t most) {
    if (text.size() <= most) return false;
    std::size_t values = 1;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') in_string = !in_string;
        if (in_string && c == '\\') ++i;
        if (!in_string && (c == ',' || c == '[' || c == '{') && ++values > most) return true;
    }
    return false;
}

boost::system::result<nlohmann::json, JsonFault> parse_json(std::string_view text,
                                                            const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        return JsonFault{JsonFault::Kind::too_large, limits.bytes,
                         "it has " + std::to_string(text.size()) + " bytes; " +
                             std::to_string(limits.bytes) + " are allowed"};
    if (has_more_values(text, limits.values))
        return JsonFault{JsonFault::Kind::too_large, 0,
                         "it has more than " + std::to_string(limits.values) + " values"};
    if (auto read = detail::parse_quickly(text, kMaxJsonDepth)) return *std::move(read);
    if (auto at = find_invalid_utf8(text); at != std::string_view::npos)
        return fault(JsonFault::Kind::not_utf8, text, at, "not valid UTF-8");
    if (auto at = find_too_deep(text); at != std::string_view::npos)
        return fault(JsonFault::Kind::too_deep, text, at,
                     "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& e) {
        auto at = std::min(e.byte > 0 ? e.byte - 1 : 0, text.size());
        return fault(JsonFault::Kind::syntax, text, at, readable(e.what()));
    } catch (const nlohmann::json::exception& e) {  // a number out of range
        return fault(JsonFault::Kind::syntax, text, 0, readable(e.what()));
    }
}

void append_json(std::string& out, const nlohmann::json& value) {
    detail::dump_value(value, out);
}

void append_json_text(std::string& out, std::string_view text) {
    detail::dump_text(text, out);
}

void append_json_number(std::string& out, std::int64_t number) {
    detail::dump_integer(number, out);
}

std::string dump(const nlohmann::json& value, int indent) {
    if (indent >= 0)
        return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
    return detail::dump(value);
}

}  // namespace toolhost
