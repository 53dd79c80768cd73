/* Refused: a text with a space is not a tool reference. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "needs_tools_invalid",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "needs": {"tools": ["echo", "not a tool"]}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
