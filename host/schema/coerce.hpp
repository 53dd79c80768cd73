// Models often send "5" where 5 is meant. Where the schema leaves only one reading of such a value,
// it can be read that way before the value is validated.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Changes in place what fits no allowed type but has exactly one reading that does:
//   a string that spells an integer, a number, true, false or null   -> that value
//   a string that is the JSON text of an array or an object          -> that array or object
//   a number or a boolean where only a string fits                   -> its text
// Follows properties, additionalProperties, items and prefixItems, local `$ref` and `allOf`, and
// `anyOf`/`oneOf` where a single branch takes the value's type.
// Returns the JSON Pointers of what was changed, the first few of them. Validate afterwards: this
// checks nothing, and leaves the rest as it is when it reaches a limit.
std::vector<std::string> coerce(const nlohmann::json& schema, nlohmann::json& value,
                                const EvaluationLimits* limits = nullptr);

}  // namespace toolhost::schema
