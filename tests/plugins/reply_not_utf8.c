/* Replies bytes that are not UTF-8. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_not_utf8",
    "description": "Replies no text.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"\xc3\x28\"}]")
