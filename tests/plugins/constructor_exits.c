/* Ends the process with exit code 0 while it is loaded. */
#include "fixture.h"

__attribute__((constructor)) static void load(void) { exit(0); }

FIXTURE_SPEC({
    "name": "constructor_exits",
    "description": "Exits.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
