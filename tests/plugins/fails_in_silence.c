/* Returns TOOL_FAILED without a reason. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "fails_in_silence",
    "description": "Fails.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return TOOL_FAILED; }
