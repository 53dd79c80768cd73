// Inputs generated from a tool's schema: valid ones, and invalid ones.
#pragma once

#include <string>
#include <vector>

#include "host/registry/tool_spec.hpp"

namespace toolhost::validate {

struct Sample {
    std::string what;  // "minimal", "with depth = 3", "without path"
    Json input;
};

// Valid inputs: the minimal one, each optional field, each enum value, limits of numbers, lengths
// and lists, and the maximal one. Values from the spec's examples are preferred.
[[nodiscard]] std::vector<Sample> valid_inputs(const registry::ToolSpec& spec);

// Invalid inputs: a missing required field, a wrong type, out of range, not in the enum, not an
// object.
[[nodiscard]] std::vector<Sample> invalid_inputs(const registry::ToolSpec& spec);

// Whether the schema accepts unknown fields, so that a misspelled one is ignored.
[[nodiscard]] bool accepts_unknown_fields(const registry::ToolSpec& spec);

}  // namespace toolhost::validate
