// Builds Markdown: lines with their prefixes, separated blocks, collapsed white space.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace http_tool {

class MarkdownWriter {
public:
    explicit MarkdownWriter(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // From then on only closing markup is added.
    [[nodiscard]] bool is_full() const { return text_.size() >= max_bytes_; }

    // Running text: white space is collapsed, and removed at the start of a line.
    void flow(std::string_view text);
    // Markup, unchanged.
    void mark(std::string_view markup);
    // Starts the next text on a new line; or as a block, after an empty line.
    void line() { apart(1); }
    void block() { apart(2); }
    // Lines kept unchanged, between fences.
    void fenced(std::string_view text, std::string_view language);

    // Every line up to the end starts with it: "> ", or "- " once and then spaces of the same
    // width.
    void begin_prefix(std::string first, std::string rest);
    void end_prefix();
    [[nodiscard]] std::size_t prefixes() const { return prefixes_.size(); }

    // Within it lines and blocks become spaces: in a heading, a link, a cell.
    void begin_inline() { ++inline_depth_; }
    void end_inline();
    [[nodiscard]] bool is_inline() const { return inline_depth_ > 0; }

    // Markup around text, omitted if there is no text.
    void begin_span(std::string_view open);
    void end_span(std::string_view close);

    // Between these, output goes to a separate text.
    void begin_cell();
    [[nodiscard]] std::string end_cell();

    [[nodiscard]] std::string take();

private:
    struct Prefix {
        std::string first, rest;
        bool begun = false;
    };
    struct Span {
        std::size_t before, after;  // the positions of the markup
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
