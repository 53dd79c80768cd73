// In which order an author wrote the fields of a tool. JSON objects are kept sorted by name, so
// the order is read from the spec's text, before it is lost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toolhost::registry {

// Names of the properties in a tool's inputSchema, outputSchema and policySchema, nested ones
// included, in the order of their first appearance. At most 512 names of at most 256 bytes.
using FieldOrder = std::vector<std::string>;

// One for each tool of a spec, in the order of `tools`. `text` is JSON that was parsed before, so
// its depth is bounded; of any other text the result is empty.
[[nodiscard]] std::vector<FieldOrder> field_orders(std::string_view text);

// Sorts names: those of `order` first and in that order, the others after them by name.
void sort_fields(std::vector<std::string>& names, const FieldOrder& order);

}  // namespace toolhost::registry
