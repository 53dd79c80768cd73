/* Linked with a library that the loader does not find. */
#include "fixture.h"

int absent_part(void);

FIXTURE_SPEC({
    "name": "dependency_missing",
    "description": "Misses a part.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return absent_part(); }
