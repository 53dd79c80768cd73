// Step 6 of a call: a human's consent, where the tool's spec requires it.
#pragma once

#include <optional>

#include "host/call/running_call.hpp"

namespace toolhost::call {

// What is answered to a tool that asks for consent by itself, to some of its inputs only: no where
// the profile denies it, yes where it, or the environment, bypasses it; else nothing: ask.
[[nodiscard]] std::optional<bool> standing_consent(const View& view, bool bypass);

// Of a call whose input was checked. An answer holds for this tool (family, name, version,
// content), this input and these callers, and for one call; `always` for this tool and these
// callers. Where it is asked for later, the error's details carry the question, as those of
// `interrupted` do, with the kind "consent".
[[nodiscard]] Result<void> check_consent(const RunningCall& call, bool bypass);

}  // namespace toolhost::call
