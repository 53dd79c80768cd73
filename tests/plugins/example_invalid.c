/* Refused: its own example does not fit its own schema. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "example_invalid",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "examples": [{"input": {"count": 1}}, {"input": {"count": "many"}}]
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
