// The meta-schemas of the three drafts, part of the program (metaschemas/*.json).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "host/base/embedded_file.hpp"

namespace toolhost::schema {

// By URI, without a fragment. Nothing for any other URI.
[[nodiscard]] const nlohmann::json* find_metaschema(std::string_view uri);

[[nodiscard]] std::span<const EmbeddedFile> metaschema_files();

}  // namespace toolhost::schema
