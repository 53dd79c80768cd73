// The meta-schemas of the three drafts, embedded in the program (metaschemas/*.json).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "host/base/embedded_file.hpp"

namespace toolhost::schema {

// Finds one by its URI without a fragment; null if unknown.
[[nodiscard]] const nlohmann::json* find_metaschema(std::string_view uri);

[[nodiscard]] std::span<const EmbeddedFile> metaschema_files();

}  // namespace toolhost::schema
