/* Good: asks a human before it acts. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "asker",
    "description": "Asks first.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str name = fixture_str("confirm");
    const tool_str reason = fixture_str("{\"question\":\"go on?\"}");
    tool_str answer = {NULL, 0};
    const tool_status status = host->interrupt(call, &name, &reason, &answer);
    return status != TOOL_OK ? status : fixture_reply(host, call, "[{\"text\":\"went on\"}]");
}
