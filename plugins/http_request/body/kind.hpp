// The kind of a body: text, an image, or a document.
#pragma once

#include <string>
#include <string_view>

namespace http_tool {

struct Kind {
    enum class As { none, text, json, html, image, document };
    As as = As::none;
    std::string format;  // "png", "pdf"
};

// By the Content-Type if it is specific, otherwise by the bytes.
[[nodiscard]] Kind kind_of(std::string_view content_type, std::string_view body);
// Whether the type alone says that it is text; for a body that has not arrived yet.
[[nodiscard]] bool is_text_type(std::string_view content_type);
// A document's name, from the last part of a URL's path: only letters, digits, spaces and dashes.
[[nodiscard]] std::string document_name(std::string_view path);

}  // namespace http_tool
