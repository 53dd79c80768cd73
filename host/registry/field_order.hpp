// The order in which the author of a tool wrote its fields. It is read from the text of the spec,
// because parsed JSON objects are sorted by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost::registry {

// Property names in a tool's inputSchema, outputSchema and policySchema, nested ones included, in
// the order of their first appearance. At most 512 names of at most 256 bytes.
using FieldOrder = std::vector<std::string>;

// One entry for each tool of a spec, in the order of `tools`. `text` must have been parsed before,
// which limits its depth; for any other text the result is empty.
[[nodiscard]] std::vector<FieldOrder> field_orders(std::string_view text);

// Sorts names: those in `order` first and in that order, then the others by name.
void sort_fields(std::vector<std::string>& names, const FieldOrder& order);

}  // namespace toolhost::registry
