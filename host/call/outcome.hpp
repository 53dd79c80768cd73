// What a plugin's code returned, as the result of its call.
#pragma once

#include "host/call/tool_use.hpp"
#include "host/loading/invocation.hpp"

namespace toolhost::call {

// After step 7: what the plugin returned and left behind, by the ABI's rules.
[[nodiscard]] Result<Content> judge_outcome(const loading::Outcome& outcome,
                                            const Unanswered* unanswered);

}  // namespace toolhost::call
