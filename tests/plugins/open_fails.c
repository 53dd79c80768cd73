/* The spec is valid, but tool_open() fails. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "open_fails",
    "description": "Cannot be opened.",
    "inputSchema": {"type": "object"}
})

TOOL_EXPORT tool_status tool_open(const tool_host *host) { return TOOL_FAILED; }

FIXTURE_REPLIES("[{\"text\":\"ran without being opened\"}]")
