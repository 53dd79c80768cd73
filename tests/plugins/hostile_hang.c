/* Hostile: does not return. */
#define _GNU_SOURCE
#include <signal.h>

#include "hostile.h"

FIXTURE_SPEC({
    "name": "hostile_hang",
    "description": "Runs on and on.",
    "inputSchema": {
        "type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]
    }
})

static volatile unsigned long turns;

FIXTURE_INVOKE {
    const tool_str kind = fixture_str("progress");
    const tool_str started = fixture_str("{\"progress\":0,\"total\":1,\"message\":\"started\"}");
    host->emit(call, &kind, &started);
    if (hostile_is(request, "until_cancelled")) {
        while (!host->cancelled(call)) {
            ++turns;
        }
        return TOOL_CANCELLED;
    }
    if (hostile_is(request, "signals_blocked")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
    }
    if (hostile_is(request, "signals_ignored")) {
        for (int number = 1; number < NSIG; ++number) {
            signal(number, SIG_IGN);
        }
    }
    if (hostile_is(request, "asleep")) {
        for (;;) {
            pause();
        }
    }
    /* Keeps the reader busy, which must still check its deadline. */
    const int chatty = hostile_is(request, "emitting");
    for (;;) {
        ++turns;
        if (chatty) {
            host->emit(call, &kind, &started);
        }
    }
}
