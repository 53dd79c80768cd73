// HTML as Markdown: what a page says, without how it looks.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace http_tool {

// Never fails: whatever is not understood is text or is passed over. Linear in its input.
// `base` is the page's URL; links that are relative are completed with it if it is not empty.
[[nodiscard]] std::string html_to_markdown(std::string_view html, const std::string& base = {});

// A page may be made so that it grows, and its links cost time.
struct MarkdownBounds {
    std::size_t max_bytes;            // about; what follows is left out
    std::function<bool()> cancelled;  // asked now and then
};
struct Markdown {
    std::string text;
    bool cut = false;
};
[[nodiscard]] Markdown html_to_markdown(std::string_view html, const std::string& base,
                                        const MarkdownBounds& bounds);

}  // namespace http_tool
