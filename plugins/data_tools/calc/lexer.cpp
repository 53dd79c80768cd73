#include "calc/lexer.hpp"

#include <array>
#include <cctype>

namespace data_tools::calc {
namespace {

struct Sign {
    std::string_view utf8;
    TokenKind kind;
    std::string_view text;
};

// Signs in text pasted from printed pages.
constexpr auto printed_signs = std::to_array<Sign>({
    {"\u00d7", TokenKind::op, "*"},
    {"\u00b7", TokenKind::op, "*"},
    {"\u00f7", TokenKind::op, "/"},
    {"\u2212", TokenKind::op, "-"},
    {"\u03c0", TokenKind::name, "pi"},
    {"\u221e", TokenKind::name, "inf"},
});

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string refusal(char c) {
    switch (c) {
        case ':':
            return "assignments and equations are not accepted; give values in `variables`";
        case ';':
            return "only one expression is accepted, without ';'";
        case '"':
        case '\'':
        case '`':
            return "strings are not accepted";
        case '<':
        case '>':
        case '&':
        case '|':
            return "comparisons and logic are not accepted (absolute value is abs(x))";
        case '{':
            return "lists are not accepted in { }; use ( ) for grouping";
        default:
            return "";
    }
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Outcome<std::vector<Token>> run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                advance(1, 1);
            } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
                take(TokenKind::number, number_length());
            } else if (is_letter(c)) {
                take(TokenKind::name, name_length());
            } else if (text_.substr(at_, 2) == "**") {
                tokens_.push_back({TokenKind::op, "^", column_});
                advance(2, 2);
            } else if (text_.substr(at_, 2) == "==") {
                tokens_.push_back({TokenKind::op, "=", column_});
                advance(2, 2);
            } else if (std::string_view("+-*/%^!(),=[]").find(c) != std::string_view::npos) {
                take(TokenKind::op, 1);
            } else if (!printed_sign()) {
                return Failure{unexpected_character()};
            }
        }
        tokens_.push_back({TokenKind::end, "", column_});
        return std::move(tokens_);
    }

private:
    char peek(std::size_t ahead) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void advance(std::size_t bytes, std::size_t columns) {
        at_ += bytes;
        column_ += columns;
    }

    void take(TokenKind kind, std::size_t length) {
        tokens_.push_back({kind, std::string(text_.substr(at_, length)), column_});
        advance(length, length);
    }

    std::size_t name_length() const {
        std::size_t n = 1;
        while (is_letter(peek(n)) || is_digit(peek(n))) ++n;
        return n;
    }

    std::size_t number_length() const {
        std::size_t n = 0;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == '.') ++n;
        while (is_digit(peek(n))) ++n;
        // 2e3 is a number; 2e and 2e*x are products with e.
        if (peek(n) == 'e' || peek(n) == 'E') {
            const std::size_t sign = peek(n + 1) == '+' || peek(n + 1) == '-' ? 1 : 0;
            if (is_digit(peek(n + 1 + sign))) {
                n += 1 + sign;
                while (is_digit(peek(n))) ++n;
            }
        }
        return n;
    }

    bool printed_sign() {
        for (const Sign& sign : printed_signs) {
            if (text_.substr(at_, sign.utf8.size()) != sign.utf8) continue;
            tokens_.push_back({sign.kind, std::string(sign.text), column_});
            advance(sign.utf8.size(), 1);
            return true;
        }
        return false;
    }

    std::string unexpected_character() const {
        std::size_t length = 1;  // of the whole character
        while ((static_cast<unsigned char>(peek(length)) & 0xC0U) == 0x80U) ++length;
        const std::string why = refusal(text_[at_]);
        const unsigned char first = static_cast<unsigned char>(text_[at_]);
        const bool shown = first >= 0x20 && first != 0x7F;
        return "column " + std::to_string(column_) + ": unexpected " +
               (shown ? "'" + std::string(text_.substr(at_, length)) + "'" : "control character") +
               (why.empty() ? "" : ": " + why);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t column_ = 1;
    std::vector<Token> tokens_;
};

}  // namespace

Outcome<std::vector<Token>> tokenize(std::string_view text) {
    return Lexer(text).run();
}

}  // namespace data_tools::calc
