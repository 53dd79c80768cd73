// Schemas that apply themselves to the same value again, such as {"$ref": "#"}, and would never
// end.
#pragma once

#include <cstdint>
#include <optional>

#include "host/schema/program.hpp"

namespace toolhost::schema {

// The location of a node that applies itself to the same value without end. Loops that only a
// dynamic reference closes are not found: the depth limit of the evaluation ends those.
[[nodiscard]] std::optional<std::uint32_t> find_loop(const Program& program);

}  // namespace toolhost::schema
