/* Returns TOOL_FAILED and says no reason. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "fails_in_silence",
    "description": "Fails.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return TOOL_FAILED; }
