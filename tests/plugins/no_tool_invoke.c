/* Exports tool_spec() only. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "no_tool_invoke",
    "description": "Cannot be called.",
    "inputSchema": {"type": "object"}
})
