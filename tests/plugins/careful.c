/* Good: requires consent. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "careful",
    "description": "Does something that cannot be undone.",
    "requiresConsent": true,
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"done\"}]")
