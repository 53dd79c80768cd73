// The steps of a call that can refuse it, one function each, in their order.
#pragma once

#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

// How many faults of an input or an output are told at once.
inline constexpr std::size_t kMaxIssues = 10;

// 2: the allowlist, narrowed by the profile.
[[nodiscard]] Result<void> check_allowed(const View& view, const registry::Tool& tool);
// 3: deprecation and requirements.
[[nodiscard]] Result<void> check_usable(const View& view, const registry::Tool& tool);
// 3: the grants that its spec requires.
[[nodiscard]] Result<void> check_granted(const View& view, const registry::Tool& tool,
                                         const ReadyTool& ready);
// 4: the profile's bounds on size and rate.
[[nodiscard]] Result<void> check_policy(const View& view, const registry::Tool& tool,
                                        const ReadyTool& ready, const std::string& principal,
                                        std::size_t input_bytes);
// The refusal of a call that found no place among those that may run at once.
[[nodiscard]] Error too_many_at_once(const View& view, const registry::Tool& tool,
                                     std::uint32_t allowed);
// 5: the input against inputSchema, coerced where the profile says so and with defaults filled in.
// Its text is then what the tool gets. After an error neither is to be used.
[[nodiscard]] Result<void> check_input(const ReadyTool& ready, const registry::Tool& tool,
                                       ToolUse& use, const schema::EvaluationLimits& limits);
// A schema that was not evaluated to the end, since the call had ended: cancelled or timeout.
[[nodiscard]] Error call_ended(const ReadyTool& ready, const schema::EvaluationLimits& limits,
                               const char* unchecked);

}  // namespace toolhost::call
