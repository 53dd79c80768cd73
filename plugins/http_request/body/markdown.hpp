// Converts HTML to Markdown: the text of a page without its layout.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace http_tool {

// Never fails: unknown input is text or is skipped. Takes linear time. `base` is the page's URL, to
// which relative links are resolved if it is not empty.
[[nodiscard]] std::string html_to_markdown(std::string_view html, const std::string& base = {});

// A hostile page may grow, and resolving its links takes time.
struct MarkdownBounds {
    std::size_t max_bytes;            // approximate limit; the rest is omitted
    std::function<bool()> cancelled;  // polled
};
struct Markdown {
    std::string text;
    bool cut = false;
};
[[nodiscard]] Markdown html_to_markdown(std::string_view html, const std::string& base,
                                        const MarkdownBounds& bounds);

}  // namespace http_tool
