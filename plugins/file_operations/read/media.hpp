// What kind of document or image a file is.
#pragma once

#include <string>
#include <string_view>

namespace file_operations {

// png, jpeg, gif or webp, by the first bytes; empty: no image.
[[nodiscard]] std::string_view image_format(std::string_view head);
// By the name's extension; txt where it says nothing.
[[nodiscard]] std::string document_format(std::string_view name);
// The name without its extension, letters a model's provider takes, and a part of the hash: a name
// that says nothing to a model but what it is.
[[nodiscard]] std::string neutral_name(std::string_view name, std::string_view sha256);

}  // namespace file_operations
