/* Good: one tool that version 1 of a command satisfies, and one that no version does. */
#include "fixture.h"

FIXTURE_SPEC({
    "tools": [
        {"name": "wants_one", "description": "Needs version 1.", "inputSchema": {"type": "object"},
         "requires": {"command:toolhost-test-command": ">=1.0"}},
        {"name": "wants_many", "description": "Needs more.", "inputSchema": {"type": "object"},
         "requires": {"command:toolhost-test-command": ">=99.0"}}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
