/* Never finishes loading, and ignores SIGTERM. */
#include <signal.h>
#include <unistd.h>

#include "fixture.h"

__attribute__((constructor)) static void load(void) {
    signal(SIGTERM, SIG_IGN);
    for (;;) {
        pause();
    }
}

FIXTURE_SPEC({
    "name": "constructor_sleeps",
    "description": "Sleeps.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
