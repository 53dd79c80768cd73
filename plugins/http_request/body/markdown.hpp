// HTML as Markdown: what a page says, without how it looks.
#pragma once

#include <string>
#include <string_view>

namespace http_tool {

// Never fails: whatever is not understood is text or is passed over. Linear in its input.
// `base` is the page's URL; links that are relative are completed with it if it is not empty.
[[nodiscard]] std::string html_to_markdown(std::string_view html, const std::string& base = {});

}  // namespace http_tool
