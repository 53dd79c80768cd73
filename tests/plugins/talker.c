/* Good: replies the requested number of characters, as text or JSON. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "talker",
    "description": "Talks.",
    "inputSchema": {
        "type": "object",
        "properties": {"chars": {"type": "integer"}, "as": {"enum": ["text", "json"]}},
        "required": ["chars", "as"]
    }
})

FIXTURE_INVOKE {
    char *chars = fixture_value(request, "\"chars\"");
    char *as = fixture_value(request, "\"as\"");
    const size_t count = chars == NULL ? 0 : (size_t)atol(chars);
    char *content = malloc(count * 2 + 32);
    if (content == NULL || as == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, as[1] == 'j' ? "[{\"json\":\"" : "[{\"text\":\"");
    for (size_t i = 0; i < count; ++i) {
        end = stpcpy(end, "\xc3\xa9"); /* a character of two bytes */
    }
    stpcpy(end, "\"}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    free(chars);
    free(as);
    return status;
}
