#include "host/schema/ecma_class.hpp"

#include <optional>

#include "host/base/utf8.hpp"

namespace toolhost::schema {
namespace {

constexpr std::string_view kAnything = R"([\x{0}-\x{10ffff}])";

class ClassReader {
public:
    ClassReader(std::string_view text, std::size_t& at) : text_(text), at_(at) {}

    std::string read() {
        ++at_;
        const bool negated = peek() == '^';
        if (negated) ++at_;
        while (error_.empty() && at_ < text_.size() && peek() != ']') item();
        if (at_ >= text_.size()) fail("unmatched '['");
        ++at_;
        if (set_.empty()) return std::string(negated ? kAnything : kPcreNothing);
        return std::string(negated ? "[^" : "[").append(set_).append("]");
    }

    [[nodiscard]] const std::string& error() const { return error_; }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void fail(std::string_view message) {
        if (error_.empty()) error_ = message;
    }

    std::optional<Escape> atom() {
        if (peek() == '\\') {
            auto escape = read_escape(text_, at_, true);
            if (escape) return std::move(*escape);
            fail(escape.error().message);
            return std::nullopt;
        }
        if (const auto character = decode_utf8(text_, at_)) return Escape{*character, {}};
        fail("bytes that are not UTF-8");
        return std::nullopt;
    }

    void item() {
        const auto first = atom();
        if (!first) return;
        if (!first->set.empty()) {
            set_ += first->set;
            return;
        }
        const bool range = peek() == '-' && peek(1) != ']' && at_ + 1 < text_.size();
        if (!range) return put_range(first->character, first->character);
        ++at_;
        const auto last = atom();
        if (!last) return;
        if (last->set.empty()) return put_range(first->character, last->character);
        // [a-\d] has three members in Annex B.
        put_range(first->character, first->character);
        set_ += code_point('-') + last->set;
    }

    void put_range(char32_t from, char32_t to) {
        if (from > to) return fail("a range out of order");
        if (is_surrogate(from)) from = kLastSurrogate + 1;
        if (is_surrogate(to)) to = kFirstSurrogate - 1;
        if (from > to) return;
        set_ += code_point(from);
        if (from < to) set_ += "-" + code_point(to);
    }

    std::string_view text_;
    std::size_t& at_;
    std::string set_;
    std::string error_;
};

}  // namespace

ClassResult read_class(std::string_view text, std::size_t& at) {
    ClassReader reader(text, at);
    std::string pcre = reader.read();
    if (!reader.error().empty()) return PatternError{at, reader.error()};
    return pcre;
}

}  // namespace toolhost::schema
