/* Runs for a minute and does not look whether it is cancelled. */
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
