// Models often send "5" instead of 5. A value with only one reading that the schema accepts is
// converted before it is validated.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Converts in place values that fit no allowed type but have exactly one reading that does:
//   a string with an integer, a number, true, false or null -> that value
//   a string with the JSON text of an array or object -> that array or object
//   a number or boolean where only a string fits -> its text
// Follows properties, additionalProperties, items, prefixItems, local `$ref`, `allOf`, and
// `anyOf`/`oneOf` where only one branch accepts the value's type.
// Returns the JSON Pointers of the first changed values. It stops at its limits and does not
// validate.
std::vector<std::string> coerce(const nlohmann::json& schema, nlohmann::json& value,
                                const EvaluationLimits* limits = nullptr);

}  // namespace toolhost::schema
