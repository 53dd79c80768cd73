#include "host/schema/ecma_pattern.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "host/base/ascii.hpp"
#include "host/base/utf8.hpp"
#include "host/schema/ecma_class.hpp"
#include "host/schema/ecma_escape.hpp"

namespace toolhost::schema {
namespace {

constexpr std::string_view kAnyButLineEnd = R"([^\n\r\x{2028}\x{2029}])";

class Translator {
public:
    explicit Translator(std::string_view text) : text_(text) {}

    TranslatedPattern run() {
        collect_groups();
        while (!error_ && at_ < text_.size()) term();
        if (!error_ && open_groups_ != 0) fail("an unclosed group");
        if (error_) return *error_;
        return std::move(out_);
    }

private:
    void fail(std::string message) {
        if (!error_) error_ = PatternError{at_, std::move(message)};
    }

    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool take(std::string_view token) {
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }

    // A reference may precede its group, so names and the number of groups are collected first.
    void collect_groups() {
        bool in_class = false;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const char c = text_[i];
            if (c == '\\') {
                ++i;
            } else if (in_class) {
                in_class = c != ']';
            } else if (c == '[') {
                in_class = true;
            } else if (c == '(') {
                const auto rest = text_.substr(i + 1);
                const bool named = rest.substr(0, 2) == "?<" && rest.substr(2, 1) != "=" &&
                                   rest.substr(2, 1) != "!";
                if (named) {
                    names_.emplace_back(rest.substr(2, rest.find('>') - 2));
                } else if (rest.substr(0, 1) != "?") {
                    names_.emplace_back();
                }
            }
        }
    }

    void term() {
        const char c = peek();
        switch (c) {
            case '^':
            case '$':
                ++at_;
                out_ += c;
                return;  // assertions cannot be quantified
            case '|':
                ++at_;
                out_ += c;
                return;
            case '(':
                open_group();
                return;
            case ')':
                close_group();
                break;
            case '.':
                ++at_;
                out_ += kAnyButLineEnd;
                break;
            case '[':
                append(read_class(text_, at_));
                break;
            case '\\':
                if (atom_escape()) return;
                break;
            case '*':
            case '+':
            case '?':
                fail("nothing to repeat");
                return;
            case '{':
                if (quantifier_length() != 0) {
                    fail("nothing to repeat");
                    return;
                }
                [[fallthrough]];
            default:
                literal();
                break;
        }
        quantifier();
    }

    void literal() {
        const auto character = decode_utf8(text_, at_);
        if (!character) return fail("bytes that are not UTF-8");
        put_literal(*character);
    }

    void put_literal(char32_t c) {
        if (is_surrogate(c)) {
            out_ += kPcreNothing;  // UTF-8 text contains no surrogates
        } else if (c < 128 && (is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)))) {
            out_ += static_cast<char>(c);
        } else {
            out_ += code_point(c);
        }
    }

    void open_group() {
        static constexpr std::string_view kKinds[] = {"(?:", "(?=", "(?!", "(?<=", "(?<!"};
        for (const auto kind : kKinds) {
            if (!take(kind)) continue;
            ++open_groups_;
            out_ += kind;
            return;
        }
        if (take("(?<")) {
            const auto end = text_.find('>', at_);
            if (end == std::string_view::npos || end == at_) return fail("a group name");
            at_ = end + 1;
        } else {
            ++at_;
            if (peek() == '?') return fail("a kind of group that ECMA-262 does not define");
        }
        ++open_groups_;
        out_ += '(';  // names become numbers: PCRE2 allows fewer names than ECMA
    }

    void close_group() {
        if (open_groups_ == 0) return fail("unmatched ')'");
        --open_groups_;
        ++at_;
        out_ += ')';
    }

    // The length of a quantifier {n}, {n,} or {n,m} at the current position; 0 if it is a plain
    // brace.
    [[nodiscard]] std::size_t quantifier_length() const {
        std::size_t i = 1;
        const auto digits = [&] {
            const auto start = i;
            while (is_digit(peek(i))) ++i;
            return i > start;
        };
        if (peek() != '{' || !digits()) return 0;
        if (peek(i) == ',') {
            ++i;
            digits();
        }
        return peek(i) == '}' ? i + 1 : 0;
    }

    void quantifier() {
        if (error_) return;
        const char c = peek();
        if (const auto length = quantifier_length(); length != 0) {
            out_ += text_.substr(at_, length);
            at_ += length;
        } else if (c == '*' || c == '+' || c == '?') {
            out_ += c;
            ++at_;
        } else {
            return;
        }
        if (take("?")) out_ += '?';
    }

    // Returns true if the escape cannot be quantified.
    bool atom_escape() {
        const char c = peek(1);
        if (c == 'b' || c == 'B') {
            out_.append("\\").append(1, c);
            at_ += 2;
            return true;
        }
        if (c >= '1' && c <= '9') {
            back_reference_number();
        } else if (c == 'k') {
            back_reference_name();
        } else {
            escape();
        }
        return false;
    }

    void back_reference_number() {
        ++at_;
        std::size_t number = 0;
        while (is_digit(peek()) && number < 1000) {
            number = number * 10 + static_cast<std::size_t>(peek() - '0');
            ++at_;
        }
        put_back_reference(number);
    }

    void back_reference_name() {
        at_ += 2;
        const auto end = text_.find('>', at_);
        if (peek() != '<' || end == std::string_view::npos) return fail("\\k without <name>");
        const auto name = text_.substr(at_ + 1, end - at_ - 1);
        const auto found = std::find(names_.begin(), names_.end(), name);
        at_ = end + 1;
        put_back_reference(name.empty() || found == names_.end()
                               ? 0
                               : static_cast<std::size_t>(found - names_.begin()) + 1);
    }

    void put_back_reference(std::size_t number) {
        if (number == 0 || number > names_.size())
            return fail("a reference to a group that does not exist");
        out_ += "\\g{" + std::to_string(number) + "}";
    }

    void append(const ClassResult& read) {
        if (!read) return fail(read.error().message);
        out_ += *read;
    }

    void escape() {
        const EscapeResult read = read_escape(text_, at_, false);
        if (!read) return fail(read.error().message);
        if (read->set.empty()) {
            put_literal(read->character);
        } else {
            out_.append("[").append(read->set).append("]");
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
    std::size_t open_groups_ = 0;
    std::vector<std::string_view> names_;  // of the capturing groups; empty if unnamed
    std::optional<PatternError> error_;
};

}  // namespace

TranslatedPattern translate_pattern(std::string_view ecma) {
    return Translator(ecma).run();
}

}  // namespace toolhost::schema
