// The meta-schemas of the three drafts, part of the program (metaschemas/*.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace toolhost::schema {

// By URI, without a fragment. Nothing for any other URI.
[[nodiscard]] const nlohmann::json* find_metaschema(std::string_view uri);

// The texts; the build writes their definition.
extern const std::string_view metaschema_texts[];
extern const std::size_t metaschema_count;

}  // namespace toolhost::schema
