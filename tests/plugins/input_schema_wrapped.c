/* Good: the inputSchema is wrapped as {"json": ...}, as some hosts write it. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "input_schema_wrapped",
    "description": "Wrapped.",
    "inputSchema": {"json": {"type": "object", "properties": {"n": {"type": "integer"}}}}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
