/* Good: waits for the requested time, or until it is cancelled if it is cooperative. It reports
 * when it has started, so that tests need not guess. */
#include <stdio.h>
#include <time.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "waiter",
    "description": "Waits.",
    "inputSchema": {
        "type": "object",
        "properties": {"ms": {"type": "integer"}, "heeds": {"type": "boolean", "default": true}},
        "required": ["ms"]
    }
})

FIXTURE_INVOKE {
    char *ms = fixture_value(request, "\"ms\"");
    char *heeds = fixture_value(request, "\"heeds\"");
    const long wanted = ms == NULL ? 0 : atol(ms);
    const int obedient = heeds == NULL || strncmp(heeds, "true", 4) == 0;
    free(ms);
    free(heeds);
    const tool_str kind = fixture_str("progress");
    const tool_str started = fixture_str("{\"progress\":0,\"total\":1,\"message\":\"started\"}");
    host->emit(call, &kind, &started);
    const struct timespec millisecond = {0, 1000000};
    for (long waited = 0; waited < wanted; ++waited) {
        if (obedient && host->cancelled(call)) {
            return TOOL_CANCELLED;
        }
        nanosleep(&millisecond, NULL);
    }
    return fixture_reply(host, call, "[{\"text\":\"waited\"}]");
}
