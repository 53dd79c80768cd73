// The effect of each HTML element on the text.
#pragma once

#include <string_view>

namespace http_tool {

enum class ElementKind {
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
    ElementKind kind;
    std::string_view markup;
};
// Unknown elements have no effect: their text is kept.
[[nodiscard]] Element element_of(std::string_view name);

}  // namespace http_tool
