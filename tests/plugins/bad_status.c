/* Returns a status that the ABI does not know. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "bad_status",
    "description": "Returns 99.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return 99; }
