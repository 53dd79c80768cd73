/* Good: offers resources and a prompt beside its tool. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "family": "notes",
    "tools": [{
        "name": "noted",
        "description": "Says that it is noted.",
        "inputSchema": {"type": "object"}
    }],
    "resources": [{"uri": "notes:today", "name": "today", "mimeType": "text/plain"}],
    "resourceTemplates": [{"uriTemplate": "notes:day/{day}", "name": "a day's notes"}],
    "prompts": [{
        "name": "remember",
        "description": "Asks to remember something.",
        "arguments": [{"name": "what", "required": true}]
    }],
    "timeoutMs": 5000
})

static int is(tool_str text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

/* The uri is everything between {"uri":" and "}, so no JSON parser is needed. */
static tool_status read_note(const tool_request *request, const tool_host *host, tool_call *call) {
    const tool_str missing = fixture_str("notes:day/never");
    char *uri = fixture_value(request, "\"uri\"");
    if (uri == NULL) {
        return TOOL_BAD_INPUT;
    }
    uri[strlen(uri) - 1] = '\0'; /* the object's end */
    tool_status status;
    if (strlen(uri) == missing.size + 2 && memcmp(uri + 1, missing.data, missing.size) == 0) {
        const tool_str code = fixture_str("not_found");
        const tool_str message = fixture_str("no such day");
        status = host->fail(call, &code, &message);
    } else {
        char content[512];
        snprintf(content, sizeof content, "[{\"resource\":{\"uri\":%s,\"text\":\"sunny\"}}]", uri);
        status = fixture_reply(host, call, content);
    }
    free(uri);
    return status;
}

FIXTURE_INVOKE {
    if (is(request->tool, "noted")) {
        return fixture_reply(host, call, "[{\"text\":\"noted\"}]");
    }
    if (is(request->tool, TOOL_RESOURCES_READ)) {
        return read_note(request, host, call);
    }
    if (is(request->tool, TOOL_PROMPTS_GET)) {
        return fixture_reply(host, call,
                             "[{\"json\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":"
                             "\"text\",\"text\":\"Remember this.\"}}]}}]");
    }
    if (is(request->tool, TOOL_COMPLETION_COMPLETE)) {
        return fixture_reply(host, call, "[{\"json\":{\"values\":[\"milk\",\"bread\"]}}]");
    }
    return TOOL_UNSUPPORTED;
}
