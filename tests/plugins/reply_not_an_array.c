/* Replies one content block, not an array of them. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_not_an_array",
    "description": "Replies an object.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("{\"text\":\"five\"}")
