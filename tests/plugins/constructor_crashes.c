/* Crashes while it is loaded. */
#include <signal.h>

#include "fixture.h"

__attribute__((constructor)) static void load(void) { raise(SIGSEGV); }

FIXTURE_SPEC({
    "name": "constructor_crashes",
    "description": "Crashes.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
