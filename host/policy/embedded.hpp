// The files of this room that are part of the program: the shipped profiles and the schemas.
#pragma once

#include <span>
#include <string_view>

namespace toolhost::policy {

struct EmbeddedFile {
    std::string_view name;  // "default.yml", "profile.schema.json"
    std::string_view content;
};

// Sorted by name.
[[nodiscard]] std::span<const EmbeddedFile> embedded_profiles();
[[nodiscard]] std::span<const EmbeddedFile> embedded_schemas();

}  // namespace toolhost::policy
