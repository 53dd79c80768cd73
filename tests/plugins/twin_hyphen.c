/* Good: named like twin_underscore, but with a hyphen. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "twin-tool",
    "description": "With a hyphen.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"hyphen\"}]")
