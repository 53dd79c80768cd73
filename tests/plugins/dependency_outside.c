/* Refused: its dependency is found only by an absolute run path, which no worker can read. */
#include "fixture.h"

int absent_part(void);

FIXTURE_SPEC({
    "name": "dependency_outside",
    "description": "Needs a library of the build folder.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    return absent_part() ? fixture_reply(host, call, "[{\"text\":\"ran\"}]") : TOOL_FAILED;
}
