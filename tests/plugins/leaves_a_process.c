/* Good, but starts a process when it is loaded, which keeps the inherited descriptors. */
#include <unistd.h>

#include "fixture.h"

__attribute__((constructor)) static void load(void) {
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
}

FIXTURE_SPEC({
    "name": "leaves_a_process",
    "description": "Forks.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
