#include "command/parse.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shell {
namespace {

constexpr std::string_view kReserved[] = {"if",    "then", "else", "elif", "fi", "do",
                                          "done",  "case", "esac", "for",  "in", "while",
                                          "until", "{",    "}",    "!"};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
bool ends_word(char c) {
    return is_blank(c) || std::string_view("\n;|&<>()").find(c) != std::string_view::npos;
}
bool starts_name(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// NAME=VALUE, which sets a variable in place of a program name.
bool is_assignment(std::string_view word) {
    const auto end = word.find('=');
    if (end == 0 || end == std::string_view::npos || !starts_name(word[0])) return false;
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(end),
                       [](char c) { return starts_name(c) || is_digit(c); });
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Refused parse(CommandLine& line) {
        auto when = Pipeline::When::always;
        for (;;) {
            skip_separators();
            if (at_end()) break;
            Pipeline pipeline{when, {}};
            if (auto refused = parse_pipeline(pipeline)) return refused;
            line.push_back(std::move(pipeline));
            skip_blanks();
            when = Pipeline::When::always;
            if (take("&&"))
                when = Pipeline::When::after_success;
            else if (take("||"))
                when = Pipeline::When::after_failure;
            else if (text_.substr(at_, 2) == "&>")
                return needs_shell(where("'&>' instead of > FILE 2>&1"));
            else if (!at_end() && peek() != ';' && peek() != '\n')
                return needs_shell(where("'" + std::string(1, peek()) + "'"));
            if (when == Pipeline::When::always) continue;
            skip_lines();
            if (at_end()) return malformed("a command is missing after && or ||");
        }
        if (line.empty()) return malformed("the command is empty");
        return {};
    }

private:
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool take(std::string_view token) {
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }
    [[nodiscard]] std::string where(const std::string& what) const {
        return what + " at character " + std::to_string(at_ + 1);
    }

    void skip_blanks() {
        for (;;) {
            while (!at_end() && is_blank(peek())) ++at_;
            if (take("\\\n")) continue;
            if (peek() != '#') return;
            while (!at_end() && peek() != '\n') ++at_;
        }
    }
    void skip_lines() {
        for (skip_blanks(); peek() == '\n' && !at_end(); skip_blanks()) ++at_;
    }
    void skip_separators() {
        for (skip_lines(); peek() == ';' && !at_end(); skip_lines()) ++at_;
    }

    Refused parse_pipeline(Pipeline& pipeline) {
        do {
            skip_lines();
            Command command;
            if (auto refused = parse_command(command)) return refused;
            if (command.words.empty()) return malformed(where("missing program name"));
            pipeline.commands.push_back(std::move(command));
            skip_blanks();
        } while (text_.substr(at_, 2) != "||" && take("|"));
        return {};
    }

    Refused parse_command(Command& command) {
        for (skip_blanks(); !at_end(); skip_blanks()) {
            if (at_redirection()) {
                if (auto refused = parse_redirection(command)) return refused;
                continue;
            }
            if (ends_word(peek())) break;
            const auto begin = at_;
            Word word;
            if (auto refused = parse_word(word)) return refused;
            const auto raw = text_.substr(begin, at_ - begin);
            if (command.words.empty()) {
                if (std::find(std::begin(kReserved), std::end(kReserved), raw) !=
                    std::end(kReserved))
                    return needs_shell("'" + std::string(raw) + "'");
                if (is_assignment(raw)) return needs_shell("setting a variable");
            }
            command.words.push_back(std::move(word));
        }
        if (peek() == '(' || peek() == ')') return needs_shell(where("'('"));
        return {};
    }

    [[nodiscard]] bool at_redirection() const {
        const char c = is_digit(peek()) ? peek(1) : peek();
        return c == '<' || c == '>';
    }

    Refused parse_redirection(Command& command) {
        using Kind = Redirection::Kind;
        const int given = is_digit(peek()) ? text_[at_++] - '0' : -1;
        if (take("<<") || take("<>") || take("<(") || take(">(") || take(">|"))
            return needs_shell(where("this redirection"));
        Redirection out{Kind::read, 0};
        if (take(">>"))
            out.kind = Kind::append;
        else if (take(">&") || take("<&"))
            out.kind = Kind::copy;
        else if (take(">"))
            out.kind = Kind::write;
        else
            take("<");
        out.fd = given >= 0 ? given : out.kind == Kind::read ? 0 : 1;
        if (out.fd > 2) return needs_shell(where("a descriptor above 2"));
        skip_blanks();
        if (out.kind == Kind::copy) {
            if (peek() != '1' && peek() != '2')
                return needs_shell(where("duplicating a descriptor other than 1 or 2"));
            out.from = text_[at_++] - '0';
            if (!at_end() && !ends_word(peek())) return malformed(where("unexpected text"));
        } else {
            if (at_end() || ends_word(peek())) return malformed(where("missing file name"));
            if (auto refused = parse_word(out.file)) return refused;
        }
        command.redirections.push_back(std::move(out));
        return {};
    }

    // Quoted or escaped characters are literal.
    void add_literal(Word& word, char c) {
        word.text += c;
        if (std::string_view("*?[]\\").find(c) != std::string_view::npos) word.pattern += '\\';
        word.pattern += c;
    }

    Refused parse_word(Word& word) {
        bool wild = false;
        if (peek() == '~') return needs_shell(where("'~'"));
        while (!at_end() && !ends_word(peek())) {
            const char c = text_[at_];
            Refused refused;
            if (c == '\'') {
                refused = parse_single(word);
            } else if (c == '"') {
                refused = parse_double(word);
            } else if (c == '\\') {
                ++at_;
                if (at_end()) return malformed("a trailing backslash");
                if (peek() != '\n') add_literal(word, peek());
                ++at_;
            } else if (c == '`' || is_expansion()) {
                return needs_shell(where(std::string("'") + c + "'"));
            } else if (c == '\0') {
                return malformed(where("a NUL character"));
            } else {
                wild = wild || c == '*' || c == '?' || c == '[';
                word.text += c;
                word.pattern += c;
                ++at_;
            }
            if (refused) return refused;
        }
        if (!wild) word.pattern.clear();
        return {};
    }

    // $NAME, ${...}, $(...), $1, $? etc.; before anything else a dollar is literal.
    [[nodiscard]] bool is_expansion() const {
        const char next = peek(1);
        return peek() == '$' &&
               (starts_name(next) || is_digit(next) ||
                (next && std::string_view("({?$!#@*-'\"").find(next) != std::string_view::npos));
    }

    Refused parse_single(Word& word) {
        const auto end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) return malformed(where("an unclosed '"));
        for (++at_; at_ < end; ++at_) {
            if (peek() == '\0') return malformed(where("a NUL character"));
            add_literal(word, peek());
        }
        ++at_;
        return {};
    }

    Refused parse_double(Word& word) {
        const auto begin = where("an unclosed \"");
        for (++at_; !at_end() && peek() != '"'; ++at_) {
            if (peek() == '\0') return malformed(where("a NUL character"));
            if (peek() == '`' || (peek() == '$' && peek(1) != '"' && is_expansion()))
                return needs_shell(where(std::string("'") + peek() + "'"));
            if (peek() == '\\' && peek(1) &&
                std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos) {
                ++at_;
                if (peek() == '\n') continue;
            }
            add_literal(word, peek());
        }
        if (at_end()) return malformed(begin);
        ++at_;
        return {};
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Refused parse(std::string_view text, CommandLine& line) {
    return Parser(text).parse(line);
}

}  // namespace shell
