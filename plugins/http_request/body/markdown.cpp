#include "body/markdown.hpp"

#include "body/markdown_converter.hpp"

namespace http_tool {
namespace {

constexpr std::size_t kAskEvery = 256;  // tokens

}  // namespace

Markdown MarkdownConverter::run(std::string_view html) {
    HtmlTokens tokens(html);
    for (std::size_t count = 1; !out_.is_full(); ++count) {
        const auto token = tokens.next();
        if (!token || (count % kAskEvery == 0 && bounds_.cancelled())) break;
        take(*token);
    }
    if (in_pre_) end_pre();
    while (!spans_.empty()) end_last_span();
    if (table_) end_table();
    const bool cut = out_.is_full();
    return {out_.take(), cut};
}

void MarkdownConverter::take(const HtmlToken& token) {
    const Element element = element_of(token.name);
    if (hidden_ > 0) {  // until the hiding element ends
        if (token.name == hidden_name_) hidden_ += token.kind == Kind::open ? 1 : -1;
    } else if (token.kind == Kind::text) {
        text(token.text);
    } else if (in_pre_) {
        within_pre(token, element);
    } else if (token.kind == Kind::open) {
        open(token, element);
    } else {
        close(element);
    }
}

void MarkdownConverter::text(std::string_view raw) {
    std::string plain = without_entities(raw);
    if (in_pre_) {
        pre_ += plain;
        return;
    }
    // Between rows and cells there is only white space, or misplaced text.
    if (table_ && !table_->in_cell && plain.find_first_not_of(" \t\r\n\f") == std::string::npos)
        return;
    out_.flow(plain);
}

bool MarkdownConverter::ends_heading(ElementKind kind) {
    return kind == ElementKind::heading || kind == ElementKind::list ||
           kind == ElementKind::quote || kind == ElementKind::table || kind == ElementKind::pre;
}

void MarkdownConverter::open(const HtmlToken& token, const Element& element) {
    if (ends_heading(element.kind) && !table_) close_span("heading");
    switch (element.kind) {
        case ElementKind::nothing:
            break;
        case ElementKind::block:
            block();
            break;
        case ElementKind::line:
            out_.line();
            break;
        case ElementKind::heading:
            open_heading(element);
            break;
        case ElementKind::list:
            open_list(token);
            break;
        case ElementKind::item:
            open_item();
            break;
        case ElementKind::quote:
            open_quote();
            break;
        case ElementKind::span:
            open_span(element.name, element.markup, "");
            break;
        case ElementKind::link:
            open_link(token);
            break;
        case ElementKind::image:
            image(token);
            break;
        case ElementKind::rule:
            rule();
            break;
        case ElementKind::pre:
            open_pre(token);
            break;
        case ElementKind::table:
            open_table();
            break;
        case ElementKind::row:
            open_row();
            break;
        case ElementKind::cell:
            open_cell();
            break;
        case ElementKind::term:
            out_.line();
            out_.mark(": ");
            break;
        case ElementKind::hidden:
            hidden_ = 1;
            hidden_name_ = token.name;
            break;
    }
}

void MarkdownConverter::close(const Element& element) {
    switch (element.kind) {
        case ElementKind::block:
            block();
            break;
        case ElementKind::line:
        case ElementKind::term:
            out_.line();
            break;
        case ElementKind::heading:
            close_heading();
            break;
        case ElementKind::list:
        case ElementKind::item:
        case ElementKind::quote:
            close_container(element);
            break;
        case ElementKind::span:
        case ElementKind::link:
            close_span(element.name);
            break;
        case ElementKind::table:
            close_table();
            break;
        case ElementKind::cell:
        case ElementKind::row:
            close_cell();
            break;
        default:
            break;
    }
}

void MarkdownConverter::block() {
    if (!out_.is_inline())
        while (!spans_.empty()) end_last_span();
    out_.block();
}

std::string html_to_markdown(std::string_view html, const std::string& base) {
    return html_to_markdown(html, base, {std::string::npos, [] { return false; }}).text;
}

Markdown html_to_markdown(std::string_view html, const std::string& base,
                          const MarkdownBounds& bounds) {
    return MarkdownConverter(base, bounds).run(html);
}

}  // namespace http_tool
