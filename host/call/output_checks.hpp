// Step 8 of a call: its output against the tool's outputSchema and the profile's limits.
#pragma once

#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"

namespace toolhost::call {

// The answer against outputSchema.
[[nodiscard]] Result<void> check_output(const ReadyTool& ready, const Content& content,
                                        const schema::EvaluationLimits& limits);
// The answer's size. Text is cut, visibly; structured or binary content that is too large is an
// error.
[[nodiscard]] Result<std::optional<Truncation>> limit_output(const ReadyTool& ready,
                                                             Content& content);

}  // namespace toolhost::call
