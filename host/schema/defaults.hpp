// The `default` values of a schema.
#pragma once

#include <optional>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Puts the schema's `default` values where the value lacks a property: at the top level, in nested
// properties and in items, through local `$ref` and `allOf`. An invalid schema fills
// nothing. Returns how many values were inserted.
// Nothing: the defaults take more than `kMaxDefaultBytes` as JSON text, or filling them in was
// ended by a limit. The value is then half filled and must not be used.
inline constexpr std::size_t kMaxDefaultBytes = 1u << 20;
[[nodiscard]] std::optional<std::size_t> fill_defaults(const Json& schema, Json& value,
                                                       const EvaluationLimits* limits = nullptr);

}  // namespace toolhost::schema
