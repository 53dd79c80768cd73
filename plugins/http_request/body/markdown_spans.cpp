// Headings, emphasis, links and images: elements with a beginning and an end within a line.
#include <algorithm>

#include "body/markdown_converter.hpp"

namespace http_tool {
namespace {

constexpr std::size_t kMaxSpans = 32;

}  // namespace

void MarkdownConverter::open_heading(const Element& element) {
    block();
    if (out_.is_inline() || spans_.size() >= kMaxSpans) return;
    out_.begin_span(element.markup);
    spans_.push_back({"heading", "", true});
    out_.begin_inline();
}

void MarkdownConverter::close_heading() {
    close_span("heading");
    block();
}

void MarkdownConverter::open_span(std::string_view name, std::string_view markup,
                                  std::string close) {
    if (spans_.size() >= kMaxSpans) return;
    out_.begin_span(markup);
    spans_.push_back({std::string(name), close.empty() ? std::string(markup) : close});
}

void MarkdownConverter::open_link(const HtmlToken& token) {
    if (spans_.size() >= kMaxSpans) return;  // checked first, because resolving a URL takes time
    const std::string to = target(token.attribute("href"));
    if (to.empty()) return;
    open_span("a", "[", "](" + to + ")");
    spans_.back().is_inline = true;
    out_.begin_inline();
}

void MarkdownConverter::end_last_span() {
    if (spans_.back().is_inline) out_.end_inline();
    out_.end_span(spans_.back().close);
    spans_.pop_back();
}

void MarkdownConverter::close_span(std::string_view name) {
    const bool known = std::any_of(spans_.begin(), spans_.end(),
                                   [&](const auto& one) { return one.name == name; });
    while (known && spans_.back().name != name) end_last_span();
    if (known) end_last_span();
}

std::string MarkdownConverter::target(std::string_view raw) {
    std::string to = without_entities(raw);
    std::erase_if(to, [](char c) { return c == '\n' || c == '\r' || c == '\t'; });
    to.erase(0, to.find_first_not_of(' '));
    if (to.empty() || to[0] == '#' || to.rfind("javascript:", 0) == 0 || to.rfind("data:", 0) == 0)
        return {};
    if (!base_.text.empty() && to.rfind("mailto:", 0) != 0)
        if (auto whole = join_url(base_, to)) to = whole->text;
    for (auto& c : to)
        if (c == ' ') c = '+';
    return to;
}

void MarkdownConverter::image(const HtmlToken& token) {
    std::string alt = without_entities(token.attribute("alt"));
    std::replace(alt.begin(), alt.end(), '\n', ' ');
    const std::string from = target(token.attribute("src"));
    if (alt.empty() && from.empty()) return;
    out_.mark("![");
    out_.mark(alt);
    out_.mark(from.empty() ? "]" : "](" + from + ")");
}

}  // namespace http_tool
