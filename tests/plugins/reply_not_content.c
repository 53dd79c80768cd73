/* Replies an array of values that are not content blocks. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_not_content",
    "description": "Replies numbers.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[1, {\"sum\": 2}]")
