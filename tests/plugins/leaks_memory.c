/* Leaks 64 KiB in each call. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "leaks_memory",
    "description": "Loses memory at each call.",
    "inputSchema": {"type": "object"}
})

static char *volatile last;

FIXTURE_INVOKE {
    enum { kBytes = 64 << 10 };
    last = malloc(kBytes);
    if (last != NULL) {
        memset(last, 1, kBytes);
    }
    return fixture_reply(host, call, "[{\"text\":\"ok\"}]");
}
