// The size of a JSON value, taken before anything recurses over it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

namespace toolhost::schema {

// How many values it has, itself included; long strings count as several. Nothing when it is nested
// deeper than `max_depth` (a scalar is at depth 0).
[[nodiscard]] std::optional<std::size_t> measure(const nlohmann::json& value,
                                                 std::size_t max_depth) noexcept;

}  // namespace toolhost::schema
