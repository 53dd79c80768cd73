// Converts HTML tokens to Markdown in one pass, with the open elements as its state. markdown.cpp
// takes the tokens; blocks and spans have files of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "body/html_elements.hpp"
#include "body/html_tokens.hpp"
#include "body/markdown.hpp"
#include "body/markdown_table.hpp"
#include "body/markdown_writer.hpp"
#include "net/url.hpp"

namespace http_tool {

class MarkdownConverter {
public:
    MarkdownConverter(const std::string& base, const MarkdownBounds& bounds)
        : bounds_(bounds), out_(bounds.max_bytes) {
        if (auto url = parse_url(base)) base_ = *std::move(url);
    }

    Markdown run(std::string_view html);

private:
    using Kind = HtmlToken::Kind;

    void take(const HtmlToken& token);
    void text(std::string_view raw);

    // An element that a heading cannot contain ends an unclosed heading.
    static bool ends_heading(ElementKind kind);
    void open(const HtmlToken& token, const Element& element);
    void close(const Element& element);

    // A block ends unclosed emphasis.
    void block();
    void open_heading(const Element& element);
    void close_heading();

    struct Container {
        std::string_view name;  // "list", "item", "quote"
        bool numbered = false;
        long number = 1;
        bool has_prefix = false;
    };

    void open_list(const HtmlToken& token);

    [[nodiscard]] bool may_set_in() const;

    void open_item();
    void open_quote();
    void end_container();
    void close_container(const Element& element);

    struct OpenSpan {
        std::string name, close;
        bool is_inline = false;
    };

    void open_span(std::string_view name, std::string_view markup, std::string close);
    void open_link(const HtmlToken& token);
    void end_last_span();
    void close_span(std::string_view name);

    // The target of a link; empty for links within the page.
    std::string target(std::string_view raw);
    void image(const HtmlToken& token);
    void rule();
    static std::string language_of(const HtmlToken& token);
    void open_pre(const HtmlToken& token);
    void within_pre(const HtmlToken& token, const Element& element);
    void end_pre();
    void open_table();
    void open_row();
    void open_cell();
    void close_cell();
    void close_table();
    void end_table();

    const MarkdownBounds& bounds_;
    Url base_;
    MarkdownWriter out_;
    std::vector<Container> containers_;
    std::vector<OpenSpan> spans_;
    bool in_pre_ = false;
    std::string pre_, language_;
    std::optional<MarkdownTable> table_;
    std::size_t spans_before_cell_ = 0;
    int hidden_ = 0;
    std::string hidden_name_;
};

}  // namespace http_tool
