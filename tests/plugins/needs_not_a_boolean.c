/* Refused: a need must be true or false. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "needs_not_a_boolean",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "needs": {"write": "/tmp"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
