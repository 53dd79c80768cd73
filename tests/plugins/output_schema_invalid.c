/* The outputSchema is invalid. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "output_schema_invalid",
    "description": "Gives 5.",
    "inputSchema": {"type": "object"},
    "outputSchema": {"properties": 5}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
