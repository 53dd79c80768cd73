#include "host/schema/ecma_escape.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "host/base/ascii.hpp"
#include "host/base/utf8.hpp"
#include "host/schema/ecma_property.hpp"

namespace toolhost::schema {
namespace {

// ECMA's \s and its complement, for use in a class: PCRE2's \s is ASCII only.
constexpr std::string_view space =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})"
    R"(\x{feff})";
constexpr std::string_view not_space =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

class EscapeReader {
public:
    EscapeReader(std::string_view text, std::size_t& at) : text_(text), at_(at) {}

    EscapeResult read(bool in_class) {
        if (++at_ >= text_.size()) return PatternError{at_, "a trailing '\\'"};
        const char c = text_[at_++];
        if (const auto code = control(c)) return character(*code);
        switch (c) {
            case 'd':
            case 'D':
            case 'w':
            case 'W':
                return Escape{0, {'\\', c}};  // ASCII only in PCRE2 without UCP, as in ECMA
            case 's':
                return Escape{0, std::string(space)};
            case 'S':
                return Escape{0, std::string(not_space)};
            case 'p':
            case 'P':
                return property(c);
            case 'c':
                if (is_letter(peek())) return character(static_cast<char32_t>(text_[at_++] % 32));
                break;
            case '0':
                if (!is_digit(peek())) return character(0);
                break;
            case 'b':
                if (in_class) return character(U'\b');
                break;
            case 'x':
                if (const auto code = hex(2)) return character(*code);
                break;
            case 'u':
                if (const auto code = unicode()) return character(*code);
                break;
            default:
                if (is_letter(c) || is_digit(c)) break;
                --at_;
                if (const auto code = decode_utf8(text_, at_)) return character(*code);
        }
        std::string message = "the escape \\";
        message += c;
        message += ", which ECMA-262 does not allow here";
        return PatternError{at_, std::move(message)};
    }

private:
    static Escape character(char32_t code) { return {code, {}}; }

    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    static std::optional<char32_t> control(char c) {
        constexpr std::string_view kNames = "tnvfr";
        constexpr std::string_view kCodes = "\t\n\v\f\r";
        const auto i = kNames.find(c);
        if (i == std::string_view::npos) return std::nullopt;
        return static_cast<char32_t>(kCodes[i]);
    }

    EscapeResult property(char kind) {
        const auto end = peek() == '{' ? text_.find('}', at_) : std::string_view::npos;
        if (end == std::string_view::npos) return PatternError{at_, "\\p without {property}"};
        const auto name = pcre_property(text_.substr(at_ + 1, end - at_ - 1));
        if (!name) return PatternError{at_, "\\p with an unknown Unicode property"};
        at_ = end + 1;
        return Escape{0, std::string("\\") + kind + "{" + *name + "}"};
    }

    std::optional<char32_t> hex(std::size_t count) {
        char32_t code = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto digit = hex_value(peek(i));
            if (!digit) return std::nullopt;
            code = code * 16 + *digit;
        }
        at_ += count;
        return code;
    }

    std::optional<char32_t> unicode() {
        if (peek() == '{') {
            const auto end = text_.find('}', at_);
            const auto length = end == std::string_view::npos ? 0 : end - at_ - 1;
            if (length == 0 || length > 6) return std::nullopt;
            ++at_;
            const auto code = hex(length);
            ++at_;
            return code && *code <= 0x10FFFF ? code : std::nullopt;
        }
        const auto high = hex(4);
        const bool opens_pair = high && *high >= kFirstSurrogate && *high <= 0xDBFF;
        if (!opens_pair || peek() != '\\' || peek(1) != 'u') return high;
        const auto back = at_;
        at_ += 2;
        if (const auto low = hex(4); low && *low >= 0xDC00 && *low <= kLastSurrogate) {
            return 0x10000 + ((*high - kFirstSurrogate) << 10) + (*low - 0xDC00);
        }
        at_ = back;
        return high;
    }

    std::string_view text_;
    std::size_t& at_;
};

}  // namespace

EscapeResult read_escape(std::string_view text, std::size_t& at, bool in_class) {
    return EscapeReader(text, at).read(in_class);
}

std::string code_point(char32_t c) {
    std::array<char, 8> hex{};
    const auto code = static_cast<std::uint32_t>(c);
    const auto end = std::to_chars(hex.data(), hex.data() + hex.size(), code, 16).ptr;
    std::string out = "\\x{";
    return out.append(hex.data(), end).append("}");
}

}  // namespace toolhost::schema
