/* Refused: a required command must be a name, not a path. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "requires_path",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "requires": {"command:/bin/sh": "*"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
