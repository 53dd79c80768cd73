/* Good: replies a list of objects, as JSON only. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "rows",
    "description": "Lists.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"json\":{\"count\":2,\"rows\":[{\"id\":7,\"name\":\"a\"},"
                "{\"id\":12,\"name\":\"b\\u001b[2J\"}]}}]")
