/* Good: requests all needs, and uses none. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "needs_all",
    "description": "Would use the network, run programs and write.",
    "inputSchema": {"type": "object"},
    "needs": {"network": true, "read": true, "write": true, "exec": true}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
