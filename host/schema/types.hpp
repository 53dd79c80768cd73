// JSON Schema's seven type names and the sets of nlohmann types that they include.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace toolhost::schema {

// One bit for each nlohmann::json::value_t, and one for reals that are integers (5.0).
using TypeSet = std::uint16_t;

inline constexpr TypeSet type_bit(nlohmann::json::value_t type) {
    return static_cast<TypeSet>(1U << static_cast<unsigned>(type));
}
inline constexpr TypeSet kIntegralRealBit = 1U << 10;
inline constexpr TypeSet kEveryType = std::numeric_limits<TypeSet>::max();

// Empty for an unknown name.
[[nodiscard]] TypeSet find_type(std::string_view name);

// The bits of a value; it fits if `types & bits` is not zero.
[[nodiscard]] TypeSet type_bits(const nlohmann::json& value);

// "an integer", "a string or null"
[[nodiscard]] std::string type_phrase(TypeSet types);

// The schema's name for the value's type: "integer" for 5 and for 5.0.
[[nodiscard]] std::string_view type_name(const nlohmann::json& value);

}  // namespace toolhost::schema
