/* Replies one content block instead of an array. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_not_an_array",
    "description": "Replies an object.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("{\"text\":\"five\"}")
