// A fast parser for common JSON text. It gives up on everything else; the caller then uses
// nlohmann's parser, which also reports errors.
#ifndef TOOLHOST_PARSE_JSON_HPP
#define TOOLHOST_PARSE_JSON_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "toolhost/dump_json.hpp"

namespace toolhost::detail {

inline constexpr std::size_t kMaxQuickDepth = 256;

// How a value stands in the text that it was read from. A later one includes the earlier ones.
enum class TextForm {
    loose,      // with blanks, or with a name that occurs twice in an object
    compact,    // in other order, or with other escapes or numbers, than dump() writes
    canonical,  // byte for byte as dump() writes it
};

class QuickReader {
    using Json = nlohmann::json;

public:
    QuickReader(std::string_view text, std::size_t max_depth)
        : at_(text.data()), end_(text.data() + text.size()), depth_left_(max_depth) {}

    bool document(Json& into) {
        return whole([&] { return value(into); });
    }
    // The text as one object, whose members `take_member(key)` reads by value(), text() or
    // object_of(). The key is gone when the next string is read.
    template <class Take>
    bool document_of(Take take_member) {
        return whole([&] { return at_ != end_ && *at_ == '{' && members(take_member); });
    }

    bool value(Json& into) {
        if (!into.is_null()) into = nullptr;
        return fill(into);
    }
    // The same, and where it stands.
    bool value(Json& into, std::string_view& text, TextForm& form) {
        const char* begin = at_;
        form_ = TextForm::canonical;
        const bool ok = value(into);
        text = {begin, static_cast<std::size_t>(at_ - begin)};
        form = form_;
        return ok;
    }
    // A string: a part of the text, or of `unescaped_` if it has escapes. It is gone when the next
    // one is read.
    bool text(std::string_view& into) {
        if (!take('"')) return false;
        const char* begin = at_;
        at_ = find_special(begin, end_);
        if (at_ == end_) return false;
        if (*at_ != '"') return rare_text(begin, into);
        into = {begin, static_cast<std::size_t>(at_ - begin)};
        return ++at_, true;
    }
    template <class Take>
    bool object_of(Take take_member) {
        return at_ != end_ && *at_ == '{' && nested([&] { return members(take_member); });
    }
    // The text as one array, whose elements `take_element()` reads.
    template <class Take>
    bool document_of_elements(Take take_element) {
        return whole([&] {
            return at_ != end_ && *at_ == '[' && nested([&] { return elements(take_element); });
        });
    }

private:
    template <class Read>
    bool whole(Read read) {
        skip_space();
        if (!read()) return false;
        skip_space();
        return at_ == end_;
    }
    // Inline: most texts have no spaces at all.
    [[gnu::always_inline]] void skip_space() {
        if (at_ != end_ && static_cast<unsigned char>(*at_) <= ' ') skip_spaces();
    }
    void skip_spaces() {
        form_ = TextForm::loose;
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }
    void not_canonical() {
        if (form_ == TextForm::canonical) form_ = TextForm::compact;
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

    // A null has nothing to destroy, so another value is made in its place.
    template <class Value>
    static bool put(Json& into, const Value& value) {
        std::construct_at(&into, value);
        return true;
    }
    template <class Number>
    static bool put_number(Json& into, Json::value_t type, Number value) {
        std::construct_at(&into, type);
        *into.get_ptr<Number*>() = value;
        return true;
    }

    // `into` is null.
    bool fill(Json& into) {
        if (at_ == end_) return false;
        switch (*at_) {
            case '{':
                return nested([&] { return object(into); });
            case '[':
                return nested([&] { return array(into); });
            case '"': {
                std::string_view read;
                return text(read) && put(into, read);
            }
            case 't':
                return put(into, true) && word("true");
            case 'f':
                return put(into, false) && word("false");
            case 'n':
                return word("null");
            default:
                return number(into);
        }
    }

    bool object(Json& into) {
        put(into, Json::value_t::object);
        auto& read = *into.get_ptr<Json::object_t*>();
        return members([&](std::string_view key) {
            const auto size = read.size();
            const auto at = read.emplace_hint(read.end(), key, nullptr);
            // Of a name that occurs twice the last counts.
            if (read.size() == size) {
                form_ = TextForm::loose;
                at->second = nullptr;
            } else if (std::next(at) != read.end()) {
                not_canonical();
            }
            return fill(at->second);
        });
    }

    template <class Take>
    bool members(Take take_member) {
        ++at_;
        skip_space();
        if (take('}')) return true;
        std::string_view key;
        for (;;) {
            skip_space();
            if (!text(key)) return false;
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
        put(into, Json::value_t::array);
        auto& read = *into.get_ptr<Json::array_t*>();
        return elements([&] {
            if (read.empty()) read.reserve(kFirstElements);
            return fill(read.emplace_back());
        });
    }

    template <class Take>
    bool elements(Take take_element) {
        ++at_;
        skip_space();
        if (take(']')) return true;
        for (;;) {
            skip_space();
            if (!take_element()) return false;
            skip_space();
            if (take(',')) continue;
            return take(']');
        }
    }

    // A string that begins at `run` and has an escape or a longer character.
    bool rare_text(const char* run, std::string_view& into) {
        if (!skip_plain()) return false;
        if (*at_ == '"') {
            into = {run, static_cast<std::size_t>(at_ - run)};
            return ++at_, true;
        }
        unescaped_.clear();
        for (;;) {
            unescaped_.append(run, static_cast<std::size_t>(at_ - run));
            if (*at_ == '"') break;
            if (*at_ != '\\' || !escape(unescaped_)) return false;
            run = at_;
            if (!skip_plain()) return false;
        }
        into = unescaped_;
        return ++at_, true;
    }

    // To what ends a string or needs a look; false: the text ends first, or is not UTF-8.
    bool skip_plain() {
        for (;;) {
            at_ = find_special(at_, end_);
            if (at_ == end_) return false;
            if (static_cast<unsigned char>(*at_) < 0x80) return true;
            const auto length = utf8_sequence({at_, static_cast<std::size_t>(end_ - at_)});
            if (length == 0) return false;
            at_ += length;
        }
    }

    bool escape(std::string& into) {
        constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (++at_ == end_) return false;
        if (*at_ == 'u' || *at_ == '/') not_canonical();
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
    // Returns how many there were.
    std::ptrdiff_t skip_digits() {
        const char* begin = at_;
        while (at_ != end_ && is_digit(*at_)) ++at_;
        return at_ - begin;
    }

    bool number(Json& into) {
        constexpr std::ptrdiff_t kSureDigits = 18;  // of a whole number that fits
        const char* begin = at_;
        const bool negative = take('-');
        const char* digits = at_;
        std::uint64_t whole = 0;  // wrong if there are too many digits
        for (; at_ != end_ && is_digit(*at_); ++at_)
            whole = whole * 10 + static_cast<unsigned char>(*at_ - '0');
        const auto count = at_ - digits;
        if (count == 0 || (*digits == '0' && count > 1)) return false;
        using Kind = Json::value_t;  // clang 14 knows no `using enum` of it
        if (at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E'))
            return fraction() && fits<double>(begin, into, Kind::number_float);
        if (negative && whole == 0) not_canonical();
        if (count > kSureDigits)
            return negative ? fits<std::int64_t>(begin, into, Kind::number_integer)
                            : fits<std::uint64_t>(begin, into, Kind::number_unsigned);
        return negative ? put_number(into, Kind::number_integer, -static_cast<std::int64_t>(whole))
                        : put_number(into, Kind::number_unsigned, whole);
    }

    bool fraction() {
        not_canonical();
        if (take('.') && skip_digits() == 0) return false;
        if (at_ == end_ || (*at_ != 'e' && *at_ != 'E')) return true;
        ++at_;
        if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
        return skip_digits() > 0;
    }

    // Numbers out of range are left to nlohmann.
    template <class Number>
    bool fits(const char* begin, Json& into, Json::value_t type) {
        Number read{};
        const auto [end, fault] = std::from_chars(begin, at_, read);
        return fault == std::errc() && end == at_ && put_number(into, type, read);
    }

    // Room for the elements of most arrays.
    static constexpr std::size_t kFirstElements = 4;

    const char* at_;
    const char* const end_;
    std::size_t depth_left_;
    TextForm form_ = TextForm::canonical;
    std::string unescaped_;
};

// Nothing: not JSON, nested deeper than `max_depth`, or one of the rare things that are left to
// others (a number too large for its kind, an escaped surrogate). What it does give is what
// nlohmann's parser would.
[[nodiscard]] inline std::optional<nlohmann::json> parse_quickly(
    std::string_view text, std::size_t max_depth = kMaxQuickDepth) {
    std::optional<nlohmann::json> value(std::in_place);
    if (!QuickReader(text, max_depth).document(*value)) value.reset();
    return value;
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_PARSE_JSON_HPP
