// Rewrites an inputSchema so that every model provider accepts it, for clients that forward it
// unchanged.
#pragma once

#include <nlohmann/json.hpp>

namespace toolhost::schema {

// normalize(), then local `$ref` written out, `oneOf` as `anyOf`, `allOf` merged, `const` as
// `enum`, several types as `anyOf`, and other keywords that a provider refuses removed. The result
// may allow more than the schema: calls are checked against the schema itself.
[[nodiscard]] nlohmann::json plain(const nlohmann::json& input_schema);

}  // namespace toolhost::schema
