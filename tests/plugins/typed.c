/* Good: has a field of every JSON type, for key=value arguments; replies its input. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "typed",
    "description": "Takes one of each.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "a string, even if it looks like a number"},
            "count": {"type": "integer", "minimum": 0},
            "ratio": {"type": "number"},
            "verbose": {"type": "boolean", "default": false},
            "items": {"type": "array", "items": {"type": "string"}},
            "options": {
                "type": "object",
                "properties": {"depth": {"type": "integer"}},
                "additionalProperties": false
            },
            "colour": {"enum": ["red", "green"]},
            "anything": {}
        },
        "required": ["text"],
        "additionalProperties": false
    }
})

FIXTURE_INVOKE {
    char *content = malloc(request->input.size + 16);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"json\":");
    memcpy(end, request->input.data, request->input.size);
    stpcpy(end + request->input.size, "}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}
