/* Refuses an input that its schema allows. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "bad_input",
    "description": "Wants another input.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return TOOL_BAD_INPUT; }
