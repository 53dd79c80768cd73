/* Good: emits progress and text, then replies. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "streamer",
    "description": "Streams three steps.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str progress = fixture_str("progress");
    for (int step = 1; step <= 3; ++step) {
        char json[96];
        snprintf(json, sizeof json, "{\"progress\":%d,\"total\":3,\"message\":\"step %d\"}", step,
                 step);
        const tool_str event = fixture_str(json);
        const tool_status status = host->emit(call, &progress, &event);
        if (status != TOOL_OK) {
            return status;
        }
    }
    const tool_str kind = fixture_str("text");
    const tool_str text = fixture_str("\"a partial result\"");
    const tool_status status = host->emit(call, &kind, &text);
    return status != TOOL_OK ? status : fixture_reply(host, call, "[{\"text\":\"streamed\"}]");
}
