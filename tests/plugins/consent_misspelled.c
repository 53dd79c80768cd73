/* Refused: with this typo it would run without consent. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "consent_misspelled",
    "description": "Does nothing.",
    "inputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}},
    "requireConsent": true
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
