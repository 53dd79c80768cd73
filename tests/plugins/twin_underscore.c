/* Good: named as twin_hyphen, but for the underscore. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "twin_tool",
    "description": "With an underscore.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"underscore\"}]")
