/* Good: its own policy forbids every call. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "denier",
    "description": "Denies.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str reason = fixture_str("path_not_allowed");
    const tool_str message = fixture_str("the path is outside the workspace");
    return host->deny(call, &reason, &message);
}
