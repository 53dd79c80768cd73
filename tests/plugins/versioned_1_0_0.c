/* Good: the tool "versioned" in version 1.0.0. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "versioned",
    "family": "history",
    "description": "Says its version.",
    "version": "1.0.0",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"1.0.0\"}]")
