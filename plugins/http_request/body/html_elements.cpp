#include "body/html_elements.hpp"

namespace http_tool {
namespace {

constexpr Element kElements[] = {
    {"a", Does::link, ""},
    {"address", Does::block, ""},
    {"article", Does::block, ""},
    {"aside", Does::block, ""},
    {"b", Does::span, "**"},
    {"blockquote", Does::quote, ""},
    {"br", Does::line, ""},
    {"canvas", Does::hidden, ""},
    {"caption", Does::block, ""},
    {"cite", Does::span, "*"},
    {"code", Does::span, "`"},
    {"dd", Does::term, ""},
    {"del", Does::span, "~~"},
    {"details", Does::block, ""},
    {"div", Does::block, ""},
    {"dl", Does::block, ""},
    {"dt", Does::line, ""},
    {"em", Does::span, "*"},
    {"fieldset", Does::block, ""},
    {"figcaption", Does::block, ""},
    {"figure", Does::block, ""},
    {"footer", Does::block, ""},
    {"form", Does::block, ""},
    {"h1", Does::heading, "# "},
    {"h2", Does::heading, "## "},
    {"h3", Does::heading, "### "},
    {"h4", Does::heading, "#### "},
    {"h5", Does::heading, "##### "},
    {"h6", Does::heading, "###### "},
    {"header", Does::block, ""},
    {"hr", Does::rule, ""},
    {"i", Does::span, "*"},
    {"img", Does::image, ""},
    {"kbd", Does::span, "`"},
    {"li", Does::item, ""},
    {"main", Does::block, ""},
    {"math", Does::hidden, ""},
    {"nav", Does::block, ""},
    {"object", Does::hidden, ""},
    {"ol", Does::list, ""},
    {"option", Does::line, ""},
    {"p", Does::block, ""},
    {"pre", Does::pre, ""},
    {"s", Does::span, "~~"},
    {"samp", Does::span, "`"},
    {"section", Does::block, ""},
    {"select", Does::block, ""},
    {"strike", Does::span, "~~"},
    {"strong", Does::span, "**"},
    {"summary", Does::block, ""},
    {"svg", Does::hidden, ""},
    {"table", Does::table, ""},
    {"td", Does::cell, ""},
    {"template", Does::hidden, ""},
    {"th", Does::cell, ""},
    {"tr", Does::row, ""},
    {"tt", Does::span, "`"},
    {"ul", Does::list, ""},
};

}  // namespace

Element element_of(std::string_view name) {
    for (const auto& element : kElements)
        if (element.name == name) return element;
    return {name, Does::nothing, ""};
}

}  // namespace http_tool
