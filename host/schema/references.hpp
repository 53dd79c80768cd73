// What the parts of a `$ref` name: a document, and a value within it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// The document of the store (which may be null) or the meta-schema of this URI; null: neither.
[[nodiscard]] const Json* find_document(const DocumentStore* store, const std::string& uri);

// The member or item that one token of a JSON Pointer refers to, as it is written between two
// slashes; null if missing.
[[nodiscard]] const Json* follow_token(const Json& value, std::string_view token);

}  // namespace toolhost::schema
