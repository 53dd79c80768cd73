/* Good and bad: does what its input names, so that one library's calls can differ. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "deeds",
    "description": "Does what it is told.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "how": {"enum": ["reply", "pause", "wait", "wait_then_crash", "close_bell", "large"]},
            "ms": {"type": "integer"}
        },
        "required": ["how"]
    }
})

enum { kAnswerBell = 4, kLargeBytes = 5 << 20 };

static void pause_ms(long ms) {
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Says that it has begun. */
static void wait_for_cancel(const tool_host *host, tool_call *call) {
    const tool_str kind = fixture_str("progress");
    const tool_str begun = fixture_str("{\"progress\":0,\"total\":1,\"message\":\"begun\"}");
    host->emit(call, &kind, &begun);
    while (!host->cancelled(call)) {
        pause_ms(1);
    }
}

static tool_status reply_large(const tool_host *host, tool_call *call) {
    char *content = malloc(kLargeBytes + 64);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"text\":\"");
    memset(end, 'x', kLargeBytes);
    strcpy(end + kLargeBytes, "\"}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}

FIXTURE_INVOKE {
    char *how = fixture_value(request, "\"how\"");
    char *ms = fixture_value(request, "\"ms\"");
    const char *deed = how == NULL ? "" : how + 1;
    tool_status status = TOOL_OK;
    if (strncmp(deed, "wait_then_crash", 15) == 0) {
        wait_for_cancel(host, call);
        abort();
    } else if (strncmp(deed, "wait", 4) == 0) {
        wait_for_cancel(host, call);
        status = TOOL_CANCELLED;
    } else if (strncmp(deed, "pause", 5) == 0) {
        pause_ms(ms == NULL ? 0 : atol(ms));
    } else if (strncmp(deed, "close_bell", 10) == 0) {
        close(kAnswerBell);
    } else if (strncmp(deed, "large", 5) == 0) {
        status = reply_large(host, call);
        free(how);
        free(ms);
        return status;
    }
    free(how);
    free(ms);
    return status != TOOL_OK ? status : fixture_reply(host, call, "[{\"text\":\"done\"}]");
}
