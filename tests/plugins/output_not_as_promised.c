/* Replies content that its outputSchema does not allow. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "output_not_as_promised",
    "description": "Promises a number, replies a string.",
    "inputSchema": {"type": "object"},
    "outputSchema": {
        "type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]
    }
})

FIXTURE_REPLIES("[{\"json\":{\"sum\":\"five\"}}]")
