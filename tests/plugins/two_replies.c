/* Replies twice; the second reply is an error, whatever its content. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "two_replies",
    "description": "Replies twice.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    fixture_reply(host, call, "[{\"text\":\"first\"}]");
    fixture_reply(host, call, "[{\"text\":\"second\"}]");
    return TOOL_OK;
}
