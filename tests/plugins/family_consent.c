/* Refused: the key has no effect beside "tools", so the tool would run without consent. */
#include "fixture.h"

FIXTURE_SPEC({
    "requiresConsent": true,
    "tools": [
        {"name": "family_consent", "description": "Does nothing.", "inputSchema": {"type": "object"}}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
