/* Good: the same name and version as duplicate_a; the first by file name is used. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "duplicate",
    "description": "From library b.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"b\"}]")
