// What a body is: text for a model to read, a picture, or a document to hand on.
#pragma once

#include <string>
#include <string_view>

namespace http_tool {

struct Kind {
    enum class As { none, text, json, html, image, document };
    As as = As::none;
    std::string format;  // of an image or a document: "png", "pdf"
};

// By the Content-Type where it says something, else by the bytes.
[[nodiscard]] Kind kind_of(std::string_view content_type, std::string_view body);
// Whether the type alone says that it is text; for a body that has not arrived yet.
[[nodiscard]] bool is_text_type(std::string_view content_type);
// A document's name, from the last part of a URL's path: letters, digits, blanks and dashes alone.
[[nodiscard]] std::string document_name(std::string_view path);

}  // namespace http_tool
