/* Good: fails, and reports the reason. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "failer",
    "description": "Fails.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str code = fixture_str("disk_full");
    const tool_str message = fixture_str("no space is left for the result");
    return host->fail(call, &code, &message);
}
