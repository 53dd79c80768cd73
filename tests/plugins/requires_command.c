/* Good, but its requirement does not hold on any machine. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "requires_command",
    "description": "Needs a command that does not exist.",
    "requires": {"command:no-such-command": "*"},
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
