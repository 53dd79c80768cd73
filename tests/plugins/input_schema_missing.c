/* The tool has no inputSchema. */
#include "fixture.h"

FIXTURE_SPEC({"name": "input_schema_missing", "description": "Takes what?"})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
