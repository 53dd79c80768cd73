// An inputSchema in words that every provider of models takes, for clients that pass it on as it is.
#pragma once

#include <nlohmann/json.hpp>

namespace toolhost::schema {

// normalize(), then local `$ref` written out, `oneOf` as `anyOf`, `allOf` merged, `const` as `enum`,
// several types as `anyOf`, and what is left of keywords that some provider refuses dropped. It may
// allow more than the schema does: calls are checked against the schema itself.
[[nodiscard]] nlohmann::json plain(const nlohmann::json& input_schema);

}  // namespace toolhost::schema
