/* Runs for a minute and ignores cancellation. */
#include <time.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "ignores_cancel",
    "description": "Runs on, whatever the caller says.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const struct timespec minute = {60, 0};
    nanosleep(&minute, NULL);
    return fixture_reply(host, call, "[{\"text\":\"done\"}]");
}
