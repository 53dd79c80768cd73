// Inputs made from a tool's schema: some that fit it, and some that must be refused.
#pragma once

#include <string>
#include <vector>

#include "host/registry/tool_spec.hpp"

namespace toolhost::validate {

struct Sample {
    std::string what;  // "minimal", "with depth = 3", "without path"
    Json input;
};

// All fit the input schema: the minimal one, each optional field, each enum value, bounds of
// numbers, lengths and lists, and the maximal one. Values of the spec's examples are preferred.
[[nodiscard]] std::vector<Sample> valid_inputs(const registry::ToolSpec& spec);

// None fits: a required field missing, a wrong type, out of range, not in the enum, not an object.
[[nodiscard]] std::vector<Sample> invalid_inputs(const registry::ToolSpec& spec);

// Whether the schema accepts a field it does not know, so that a misspelled one passes silently.
[[nodiscard]] bool takes_unknown_fields(const registry::ToolSpec& spec);

}  // namespace toolhost::validate
