/* Refused: one of its resources has no uri. */
#include "fixture.h"

FIXTURE_SPEC({
    "tools": [{"name": "offer_invalid", "description": "d", "inputSchema": {"type": "object"}}],
    "resources": [{"name": "nowhere"}]
})
FIXTURE_REPLIES("[]")
