/* Good: logs a line at each level, one at an unknown level, and invalid UTF-8. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "logger",
    "description": "Logs.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    static const char *const lines[] = {"logged at debug", "logged at info", "logged at warn",
                                        "logged at error", "logged at level 4"};
    for (int32_t level = TOOL_LOG_DEBUG; level < 5; ++level) {
        const tool_str line = fixture_str(lines[level]);
        host->log(call, level, &line);
    }
    const tool_str bytes = fixture_str("logged bytes: \xff\xfe");
    host->log(call, TOOL_LOG_WARN, &bytes);
    return fixture_reply(host, call, "[{\"text\":\"logged\"}]");
}
