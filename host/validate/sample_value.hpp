// A value for a schema: a guess that fits most schemas. Callers check it against the compiled
// schema.
#pragma once

#include "host/base/error.hpp"

namespace toolhost::validate {

enum class Amount { least, most };  // required fields and lower bounds; all fields, upper bounds

// `root` is the document that `$ref`s of `schema` point into.
[[nodiscard]] Json sample_value(const Json& schema, const Json& root, Amount amount);

// The schema that a chain of local `$ref`s leads to; `allOf` merged into it.
[[nodiscard]] Json resolved(const Json& schema, const Json& root);

}  // namespace toolhost::validate
