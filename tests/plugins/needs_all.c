/* Good: asks for everything a spec can ask for, and does nothing with it. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "needs_all",
    "description": "Would use the network, run programs and write.",
    "inputSchema": {"type": "object"},
    "needs": {"network": true, "read": true, "write": true, "exec": true}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
