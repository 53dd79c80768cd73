#include <array>
#include <cctype>

#include "json/query_tree.hpp"

namespace data_tools::json {
namespace {

struct Mark {
    std::string_view text;
    Sign sign;
};

// Longer ones first.
constexpr auto marks = std::to_array<Mark>({
    {"[?", Sign::open_filter}, {"[]", Sign::flatten},       {"||", Sign::either},
    {"&&", Sign::both},        {"==", Sign::equal},         {"!=", Sign::unequal},
    {"<=", Sign::less_equal},  {">=", Sign::greater_equal}, {"<", Sign::less},
    {">", Sign::greater},      {"!", Sign::negation},       {".", Sign::dot},
    {"*", Sign::star},         {"|", Sign::pipe},           {"(", Sign::open},
    {")", Sign::close},        {"[", Sign::open_bracket},   {"]", Sign::close_bracket},
    {"{", Sign::open_brace},   {"}", Sign::close_brace},    {",", Sign::comma},
    {":", Sign::colon},        {"@", Sign::current},
});

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Lexer {
public:
    explicit Lexer(std::string_view query) : query_(query) {}

    std::vector<QueryToken> run() {
        std::vector<QueryToken> out;
        for (;;) {
            while (at_ < query_.size() && std::isspace(static_cast<unsigned char>(query_[at_])))
                ++at_;
            if (at_ == query_.size()) break;
            out.push_back(next());
        }
        out.push_back({Sign::end, "end of the query", nullptr, query_.size() + 1});
        return out;
    }

private:
    QueryToken next() {
        const std::size_t start = at_;
        const char c = query_[at_];
        if (is_letter(c)) {
            while (at_ < query_.size() && (is_letter(query_[at_]) || is_digit(query_[at_]))) ++at_;
            return {Sign::name, std::string(query_.substr(start, at_ - start)), nullptr, start + 1};
        }
        if (is_digit(c) || c == '-') return number(start);
        if (c == '"') {
            const Value name = parsed('"' + enclosed('"', false) + '"', start);
            return {Sign::quoted_name, name.get<std::string>(), nullptr, start + 1};
        }
        if (c == '\'') {
            return {Sign::literal, "a text", enclosed('\'', true), start + 1};
        }
        if (c == '`') {
            return {Sign::literal, "a literal", literal(enclosed('`', true), start), start + 1};
        }
        for (const Mark& mark : marks) {
            if (query_.substr(at_, mark.text.size()) != mark.text) continue;
            at_ += mark.text.size();
            return {mark.sign, std::string(mark.text), nullptr, start + 1};
        }
        const std::string hint = c == '=' ? ": compare with ==" : c == '&' ? ": and is &&" : "";
        throw QueryError{start + 1, "unexpected character '" + std::string(1, c) + "'" + hint};
    }

    QueryToken number(std::size_t start) {
        ++at_;
        while (at_ < query_.size() && is_digit(query_[at_])) ++at_;
        const std::string text(query_.substr(start, at_ - start));
        if (text == "-" || text.size() > 10) throw QueryError{start + 1, "not an index"};
        return {Sign::number, text, std::stol(text), start + 1};
    }

    // Reads up to the closing quote; `unescape` makes \' a quote.
    std::string enclosed(char quote, bool unescape) {
        const std::size_t start = at_++;
        std::string out;
        for (; at_ < query_.size() && query_[at_] != quote; ++at_) {
            if (query_[at_] == '\\' && at_ + 1 < query_.size()) {
                if (!unescape || query_[at_ + 1] != quote) out += '\\';
                ++at_;
            }
            out += query_[at_];
        }
        if (at_ == query_.size()) {
            throw QueryError{start + 1, std::string("the quote ") + quote + " is not closed"};
        }
        ++at_;
        return out;
    }

    static Value parsed(const std::string& text, std::size_t start) {
        Value value = Value::parse(text, nullptr, false);
        if (value.is_discarded()) throw QueryError{start + 1, "not valid JSON between the quotes"};
        return value;
    }

    // `1` is JSON; `word`, an older form of a string, is accepted too.
    static Value literal(const std::string& text, std::size_t start) {
        Value value = Value::parse(text, nullptr, false);
        if (value.is_discarded() && !text.empty() && is_letter(text[0])) return text;
        if (value.is_discarded()) throw QueryError{start + 1, "not valid JSON between the quotes"};
        return value;
    }

    std::string_view query_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<QueryToken> query_tokens(std::string_view query) {
    return Lexer(query).run();
}

}  // namespace data_tools::json
