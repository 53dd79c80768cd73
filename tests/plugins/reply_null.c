/* Replies a string with neither data nor size. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "reply_null",
    "description": "Replies emptiness.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str nothing = {NULL, 0};
    return host->reply(call, &nothing);
}
