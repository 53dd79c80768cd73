/* Good: the same name and version as duplicate_b; the first by file name is used. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "duplicate",
    "description": "From library a.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"a\"}]")
