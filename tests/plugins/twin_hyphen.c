/* Good: named as twin_underscore, but for the hyphen. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "twin-tool",
    "description": "With a hyphen.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"hyphen\"}]")
