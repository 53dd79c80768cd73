/* Fails with a reason that is not UTF-8. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "fails_not_utf8",
    "description": "Fails unreadably.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str code = fixture_str("\xc3\x28");
    const tool_str message = fixture_str("broken \xff\xfe text");
    return host->fail(call, &code, &message);
}
