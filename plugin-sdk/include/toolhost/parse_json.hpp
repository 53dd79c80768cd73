// A fast parser for common JSON text. It gives up on everything else; the caller then uses
// nlohmann's parser, which also reports errors.
#ifndef TOOLHOST_PARSE_JSON_HPP
#define TOOLHOST_PARSE_JSON_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "toolhost/dump_json.hpp"

namespace toolhost::detail {

class QuickReader {
    using Json = nlohmann::json;

public:
    QuickReader(std::string_view text, std::size_t max_depth)
        : at_(text.data()), end_(text.data() + text.size()), depth_left_(max_depth) {}

    bool document(Json& into) {
        return whole([&] { return value(into); });
    }
    // Parses an object, whose members `take_member(key)` reads by value() or string().
    template <class Take>
    bool document_of(Take take_member) {
        return whole([&] { return at_ != end_ && *at_ == '{' && members(take_member); });
    }

    bool value(Json& into) {
        if (at_ == end_) return false;
        switch (*at_) {
            case '{':
                return nested([&] { return object(into); });
            case '[':
                return nested([&] { return array(into); });
            case '"':
                into = Json::value_t::string;
                return string(*into.get_ptr<std::string*>());
            case 't':
                into = true;
                return word("true");
            case 'f':
                into = false;
                return word("false");
            case 'n':
                into = nullptr;
                return word("null");
            default:
                return number(into);
        }
    }

    bool string(std::string& into) {
        into.clear();
        if (!take('"')) return false;
        for (;;) {
            const char* run = at_;
            if (!skip_plain()) return false;
            into.append(run, at_);
            if (*at_ == '"') return ++at_, true;
            if (*at_ != '\\' || !escape(into)) return false;
        }
    }

private:
    template <class Read>
    bool whole(Read read) {
        skip_space();
        if (!read()) return false;
        skip_space();
        return at_ == end_;
    }
    // Inline: most texts contain no spaces.
    void skip_space() {
        if (at_ != end_ && static_cast<unsigned char>(*at_) <= ' ') skip_spaces();
    }
    void skip_spaces() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }
    bool take(char wanted) {
        if (at_ == end_ || *at_ != wanted) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view wanted) {
        if (static_cast<std::size_t>(end_ - at_) < wanted.size() ||
            std::string_view(at_, wanted.size()) != wanted)
            return false;
        at_ += wanted.size();
        return true;
    }

    template <class Inner>
    bool nested(Inner inner) {
        if (depth_left_ == 0) return false;
        --depth_left_;
        const bool ok = inner();
        ++depth_left_;
        return ok;
    }

    bool object(Json& into) {
        into = Json::value_t::object;
        auto& read = *into.get_ptr<Json::object_t*>();
        return members([&](std::string& key) {
            // The last of duplicate names counts.
            return value(read.emplace_hint(read.end(), std::move(key), nullptr)->second);
        });
    }

    template <class Take>
    bool members(Take take_member) {
        ++at_;
        skip_space();
        if (take('}')) return true;
        std::string key;
        for (;;) {
            skip_space();
            if (!string(key)) return false;
            skip_space();
            if (!take(':')) return false;
            skip_space();
            if (!take_member(key)) return false;
            skip_space();
            if (take(',')) continue;
            return take('}');
        }
    }

    bool array(Json& into) {
        ++at_;
        into = Json::value_t::array;
        auto& elements = *into.get_ptr<Json::array_t*>();
        skip_space();
        if (take(']')) return true;
        for (;;) {
            skip_space();
            if (!value(elements.emplace_back())) return false;
            skip_space();
            if (take(',')) continue;
            return take(']');
        }
    }

    // Skips to the end of the string or to a character that needs attention. Returns false if the
    // text ends first, or is not UTF-8.
    bool skip_plain() {
        while (at_ != end_) {
            const auto c = static_cast<unsigned char>(*at_);
            if (kPlainByte[c]) {
                ++at_;
            } else if (c < 0x80) {
                return true;
            } else {
                const auto length = utf8_sequence({at_, static_cast<std::size_t>(end_ - at_)});
                if (length == 0) return false;
                at_ += length;
            }
        }
        return false;
    }

    bool escape(std::string& into) {
        constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (++at_ == end_) return false;
        if (*at_ == 'u') return escaped_code(into);
        const auto which = kNames.find(*at_++);
        if (which == kNames.npos) return false;
        into += kMeant[which];
        return true;
    }

    bool escaped_code(std::string& into) {
        unsigned code = 0;
        if (end_ - at_ < 5) return false;
        const auto [end, fault] = std::from_chars(at_ + 1, at_ + 5, code, 16);
        if (fault != std::errc() || end != at_ + 5 || (code >= 0xD800 && code < 0xE000))
            return false;
        at_ += 5;
        auto add = [&](unsigned byte) { into += static_cast<char>(byte); };
        if (code < 0x80) return add(code), true;
        if (code < 0x800) {
            add(0xC0 | code >> 6);
        } else {
            add(0xE0 | code >> 12);
            add(0x80 | (code >> 6 & 0x3F));
        }
        return add(0x80 | (code & 0x3F)), true;
    }

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    void skip_digits() {
        while (at_ != end_ && is_digit(*at_)) ++at_;
    }

    bool number(Json& into) {
        const char* begin = at_;
        const bool negative = take('-');
        const char* digits = at_;
        skip_digits();
        if (at_ == digits || (*digits == '0' && at_ - digits > 1)) return false;
        const bool fraction = at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E');
        if (!fraction)
            return negative ? fits<std::int64_t>(begin, into) : fits<std::uint64_t>(begin, into);
        if (take('.')) {
            const char* decimals = at_;
            skip_digits();
            if (at_ == decimals) return false;
        }
        if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
            ++at_;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
            const char* exponent = at_;
            skip_digits();
            if (at_ == exponent) return false;
        }
        return fits<double>(begin, into);
    }

    // Numbers out of range are left to nlohmann.
    template <class Number>
    bool fits(const char* begin, Json& into) {
        Number read{};
        const auto [end, fault] = std::from_chars(begin, at_, read);
        into = read;
        return fault == std::errc() && end == at_;
    }

    const char* at_;
    const char* const end_;
    std::size_t depth_left_;
};

// Returns nothing for invalid JSON, for text nested deeper than `max_depth`, and for rare cases (a
// number that is too large, an escaped surrogate). Otherwise the result equals that of nlohmann's
// parser.
[[nodiscard]] inline std::optional<nlohmann::json> parse_quickly(std::string_view text,
                                                                 std::size_t max_depth = 256) {
    std::optional<nlohmann::json> value(std::in_place);
    if (!QuickReader(text, max_depth).document(*value)) value.reset();
    return value;
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_PARSE_JSON_HPP
