/* Refused: an unknown need. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "needs_misspelled",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "needs": {"netwrok": true}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
