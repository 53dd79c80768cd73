/* The inputSchema is invalid: a type is a name, not a number. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "input_schema_invalid", "description": "Takes 5.", "inputSchema": {"type": 5}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
