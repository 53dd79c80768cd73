// What each HTML element does to a text.
#pragma once

#include <string_view>

namespace http_tool {

enum class Does {
    nothing,
    block,
    line,
    heading,
    list,
    item,
    quote,
    span,
    link,
    image,
    rule,
    pre,
    table,
    row,
    cell,
    hidden,
    term
};

struct Element {
    std::string_view name;
    Does does;
    std::string_view markup;
};
// An element that is not known does nothing: its text is text.
[[nodiscard]] Element element_of(std::string_view name);

}  // namespace http_tool
