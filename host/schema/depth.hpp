// Measures a JSON value before code recurses over it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

namespace toolhost::schema {

// The number of values in it, itself included; long strings count as several. Empty if it is nested
// deeper than `max_depth` (a scalar has depth 0).
[[nodiscard]] std::optional<std::size_t> measure(const nlohmann::json& value,
                                                 std::size_t max_depth) noexcept;

}  // namespace toolhost::schema
