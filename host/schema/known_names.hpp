// The property names that a schema knows, at any place of its composition: candidates for the
// correction of a misspelled name.
#pragma once

#include <set>
#include <string_view>

#include "host/schema/program.hpp"

namespace toolhost::schema {

[[nodiscard]] std::set<std::string_view> known_names(const Node& node);

}  // namespace toolhost::schema
