/* Returns TOOL_OK without a reply. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "no_reply",
    "description": "Replies nothing.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return TOOL_OK; }
