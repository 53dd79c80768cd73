/* The spec is valid, but tool_open() fails and prints the reason. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "open_fails_told",
    "description": "Cannot be opened.",
    "inputSchema": {"type": "object"}
})

TOOL_EXPORT tool_status tool_open(const tool_host *host) {
    fprintf(stderr, "the licence has expired\n");
    return TOOL_FAILED;
}

FIXTURE_REPLIES("[{\"text\":\"ran without being opened\"}]")
