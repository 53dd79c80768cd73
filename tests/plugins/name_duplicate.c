/* Refused: two tools with names that people and models confuse. */
#include "fixture.h"

FIXTURE_SPEC({
    "tools": [
        {"name": "same_name", "description": "The first.", "inputSchema": {"type": "object"}},
        {"name": "same-name", "description": "The second.", "inputSchema": {"type": "object"}}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
