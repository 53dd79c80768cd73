/* Good: named like twin_hyphen, but with an underscore. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "twin_tool",
    "description": "With an underscore.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"underscore\"}]")
