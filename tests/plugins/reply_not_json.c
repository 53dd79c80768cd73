/* Replies text that is not JSON. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_not_json",
    "description": "Replies no JSON.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("five")
