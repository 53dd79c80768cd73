/* Good: asks all questions, then waits for the answers together. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "asks_twice",
    "description": "Asks two questions.",
    "inputSchema": {"type": "object"}
})

static tool_status ask(const tool_host *host, tool_call *call, const char *name,
                       const char *question, tool_str *answer) {
    const tool_str name_str = fixture_str(name), reason = fixture_str(question);
    return host->interrupt(call, &name_str, &reason, answer);
}

FIXTURE_INVOKE {
    tool_str name = {NULL, 0}, city = {NULL, 0};
    const tool_status first = ask(host, call, "name", "\"your name?\"", &name);
    const tool_status second = ask(host, call, "city", "\"your city?\"", &city);
    if (first != TOOL_OK || second != TOOL_OK) {
        return first != TOOL_OK ? first : second;
    }
    char *content = malloc((name.size + city.size) * 6 + 32);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = fixture_quote(stpcpy(content, "[{\"text\":\""), name);
    end = fixture_quote(stpcpy(end, " of "), city);
    stpcpy(end, "\"}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}
