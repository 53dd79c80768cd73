#include "body/html_elements.hpp"

namespace http_tool {
namespace {

constexpr Element kElements[] = {
    {"a", ElementKind::link, ""},
    {"address", ElementKind::block, ""},
    {"article", ElementKind::block, ""},
    {"aside", ElementKind::block, ""},
    {"b", ElementKind::span, "**"},
    {"blockquote", ElementKind::quote, ""},
    {"br", ElementKind::line, ""},
    {"canvas", ElementKind::hidden, ""},
    {"caption", ElementKind::block, ""},
    {"cite", ElementKind::span, "*"},
    {"code", ElementKind::span, "`"},
    {"dd", ElementKind::term, ""},
    {"del", ElementKind::span, "~~"},
    {"details", ElementKind::block, ""},
    {"div", ElementKind::block, ""},
    {"dl", ElementKind::block, ""},
    {"dt", ElementKind::line, ""},
    {"em", ElementKind::span, "*"},
    {"fieldset", ElementKind::block, ""},
    {"figcaption", ElementKind::block, ""},
    {"figure", ElementKind::block, ""},
    {"footer", ElementKind::block, ""},
    {"form", ElementKind::block, ""},
    {"h1", ElementKind::heading, "# "},
    {"h2", ElementKind::heading, "## "},
    {"h3", ElementKind::heading, "### "},
    {"h4", ElementKind::heading, "#### "},
    {"h5", ElementKind::heading, "##### "},
    {"h6", ElementKind::heading, "###### "},
    {"header", ElementKind::block, ""},
    {"hr", ElementKind::rule, ""},
    {"i", ElementKind::span, "*"},
    {"img", ElementKind::image, ""},
    {"kbd", ElementKind::span, "`"},
    {"li", ElementKind::item, ""},
    {"main", ElementKind::block, ""},
    {"math", ElementKind::hidden, ""},
    {"nav", ElementKind::block, ""},
    {"object", ElementKind::hidden, ""},
    {"ol", ElementKind::list, ""},
    {"option", ElementKind::line, ""},
    {"p", ElementKind::block, ""},
    {"pre", ElementKind::pre, ""},
    {"s", ElementKind::span, "~~"},
    {"samp", ElementKind::span, "`"},
    {"section", ElementKind::block, ""},
    {"select", ElementKind::block, ""},
    {"strike", ElementKind::span, "~~"},
    {"strong", ElementKind::span, "**"},
    {"summary", ElementKind::block, ""},
    {"svg", ElementKind::hidden, ""},
    {"table", ElementKind::table, ""},
    {"td", ElementKind::cell, ""},
    {"template", ElementKind::hidden, ""},
    {"th", ElementKind::cell, ""},
    {"tr", ElementKind::row, ""},
    {"tt", ElementKind::span, "`"},
    {"ul", ElementKind::list, ""},
};

}  // namespace

Element element_of(std::string_view name) {
    for (const auto& element : kElements)
        if (element.name == name) return element;
    return {name, ElementKind::nothing, ""};
}

}  // namespace http_tool
