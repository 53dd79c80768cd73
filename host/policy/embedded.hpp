// The files of this room that are embedded in the program: shipped profiles and schemas.
#pragma once

#include <span>

#include "host/base/embedded_file.hpp"

namespace toolhost::policy {

// Sorted by name.
[[nodiscard]] std::span<const EmbeddedFile> embedded_profiles();
[[nodiscard]] std::span<const EmbeddedFile> embedded_schemas();
// The text of one of embedded_schemas(), which the build has: "profile.schema.json".
[[nodiscard]] std::string_view schema_text(std::string_view name);

}  // namespace toolhost::policy
