// Markdown as it grows: lines with their prefixes, blocks apart, blanks as one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace http_tool {

class MarkdownWriter {
public:
    explicit MarkdownWriter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // From then on nothing is added but what ends that which was begun.
    [[nodiscard]] bool is_full() const { return text_.size() >= max_bytes_; }

    // Text that flows: any run of blanks is one, none at the start of a line.
    void flow(std::string_view text);
    // Markup, as it is.
    void mark(std::string_view markup);
    // The next text begins a line; or a block, with an empty line before it.
    void line() { apart(1); }
    void block() { apart(2); }
    // Lines kept as they are, between fences.
    void fenced(std::string_view text, std::string_view language);

    // All lines until the end begin so: "> ", or "- " once and then blanks as wide.
    void begin_prefix(std::string first, std::string rest);
    void end_prefix();
    [[nodiscard]] std::size_t prefixes() const { return prefixes_.size(); }

    // Within, lines and blocks are blanks: a heading, a link, a cell.
    void begin_inline() { ++inline_depth_; }
    void end_inline();
    [[nodiscard]] bool is_inline() const { return inline_depth_ > 0; }

    // Markup around text, left out if there is no text.
    void begin_span(std::string_view open);
    void end_span(std::string_view close);

    // Between these, what is written goes to a text of its own.
    void begin_cell();
    [[nodiscard]] std::string end_cell();

    [[nodiscard]] std::string take();

private:
    struct Prefix {
        std::string first, rest;
        bool begun = false;
    };
    struct Span {
        std::size_t before, after;  // where the markup is
    };

    void apart(int lines);
    void begin_text();
    [[nodiscard]] std::string prefix();
    [[nodiscard]] std::string empty_line() const;

    const std::size_t max_bytes_;
    std::string text_;
    int pending_lines_ = 0;
    bool pending_blank_ = false;
    bool at_line_start_ = true;
    int inline_depth_ = 0;
    std::vector<Prefix> prefixes_;
    std::vector<Span> spans_;
    std::size_t cell_start_ = 0;
};

}  // namespace http_tool
