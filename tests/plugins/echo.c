/* Good: replies its input as json and as text. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "echo",
    "family": "basics",
    "category": "data",
    "description": "Says what it was told.",
    "version": "1.0.0",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    char *content = malloc(request->input.size * 7 + 64);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = content;
    end = stpcpy(end, "[{\"json\":");
    memcpy(end, request->input.data, request->input.size);
    end = stpcpy(end + request->input.size, "},{\"text\":\"");
    end = fixture_quote(end, request->input);
    end = stpcpy(end, "\"}]");
    const tool_str reply = {content, (size_t)(end - content)};
    const tool_status status = host->reply(call, &reply);
    free(content);
    return status;
}
