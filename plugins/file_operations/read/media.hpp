// Determines the format of documents and images.
#pragma once

#include <string>
#include <string_view>

namespace file_operations {

// png, jpeg, gif or webp, by the first bytes; empty for other files.
[[nodiscard]] std::string_view image_format(std::string_view head);
// By the name's extension; txt if it is unknown.
[[nodiscard]] std::string document_format(std::string_view name);
// The name without its extension, in letters that model providers accept, with a part of the hash:
// a name that carries no instructions to a model.
[[nodiscard]] std::string neutral_name(std::string_view name, std::string_view sha256);

}  // namespace file_operations
