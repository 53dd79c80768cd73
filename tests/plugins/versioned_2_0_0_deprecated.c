/* Good: the tool "versioned" in its highest version, which is deprecated and never chosen by
 * default. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "versioned",
    "family": "history",
    "description": "Says its version.",
    "version": "2.0.0",
    "deprecated": "use versioned@^1",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"2.0.0\"}]")
