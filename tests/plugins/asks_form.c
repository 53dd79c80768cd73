/* Good: asks with a form, and replies the answers. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "asks_form",
    "description": "Asks for a colour, a number and a yes.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str name = fixture_str("order");
    const tool_str reason = fixture_str(
        "{\"message\":\"What shall it be?\",\"requestedSchema\":{\"type\":\"object\","
        "\"required\":[\"colour\",\"count\",\"gift\"],\"properties\":{"
        "\"colour\":{\"type\":\"string\",\"enum\":[\"red\",\"green\"],\"enumNames\":[\"Red\",\"Green\"]},"
        "\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9,\"title\":\"How many\"},"
        "\"gift\":{\"type\":\"boolean\",\"default\":true},"
        "\"note\":{\"type\":\"string\",\"description\":\"for the card\"}}}}");
    tool_str answer = {NULL, 0};
    const tool_status status = host->interrupt(call, &name, &reason, &answer);
    if (status != TOOL_OK) {
        return status;
    }
    char *content = malloc(answer.size + 32);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"json\":");
    memcpy(end, answer.data, answer.size);
    stpcpy(end + answer.size, "}]");
    const tool_status replied = fixture_reply(host, call, content);
    free(content);
    return replied;
}
