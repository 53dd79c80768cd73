// The property names a schema knows, wherever in its composition they are: what a mistyped name may
// have meant.
#pragma once

#include <set>
#include <string_view>

#include "host/schema/program.hpp"

namespace toolhost::schema {

[[nodiscard]] std::set<std::string_view> known_names(const Node& node);

}  // namespace toolhost::schema
