// A value for a schema that fits in most cases. Callers check it against the compiled schema.
#pragma once

#include "host/base/error.hpp"

namespace toolhost::validate {

enum class Amount { least, most };  // required fields and lower bounds; all fields, upper bounds

// `root` is the document that contains the targets of `$ref`.
[[nodiscard]] Json sample_value(const Json& schema, const Json& root, Amount amount);

// Follows a chain of local `$ref`s and merges `allOf`.
[[nodiscard]] Json resolved(const Json& schema, const Json& root);

}  // namespace toolhost::validate
