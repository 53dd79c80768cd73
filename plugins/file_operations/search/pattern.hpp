// A regular expression, compiled once and matched against single lines by many threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "access/outcome.hpp"

namespace file_operations {

struct PatternOptions {
    bool literal = false;  // plain text instead of a regular expression
    bool ignore_case = false;
    bool whole_words = false;
};

class Pattern {
public:
    // `field` is the input's JSON Pointer, for the error.
    [[nodiscard]] static Outcome<Pattern> compile(std::string_view text, PatternOptions options,
                                                  const std::string& field);
    ~Pattern();
    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;

    // Text that every match contains, so that a fast search for it can skip other lines; or empty.
    [[nodiscard]] const std::string& required_text() const { return required_; }
    // Whether the pattern is exactly that text.
    [[nodiscard]] bool is_plain() const { return plain_; }

private:
    friend class Matcher;
    struct Code;
    Pattern();

    std::unique_ptr<Code> code_;
    std::string required_;
    bool plain_ = false;
};

// The state of one thread that uses a pattern.
class Matcher {
public:
    explicit Matcher(const Pattern& pattern);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    enum class Found { yes, no, too_costly };
    // `line` has no line end. `column` is set to the beginning of the match.
    [[nodiscard]] Found find(std::string_view line, std::size_t& column);

private:
    struct Room;
    const Pattern& pattern_;
    std::unique_ptr<Room> room_;
};

// The longest text that every match of the expression contains; empty if it is unclear.
[[nodiscard]] std::string required_text_of(std::string_view expression);

}  // namespace file_operations
