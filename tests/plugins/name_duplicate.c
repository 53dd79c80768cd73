/* Refused: two tools that people and models cannot tell apart. */
#include "fixture.h"

FIXTURE_SPEC({
    "tools": [
        {"name": "same_name", "description": "The first.", "inputSchema": {"type": "object"}},
        {"name": "same-name", "description": "The second.", "inputSchema": {"type": "object"}}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
