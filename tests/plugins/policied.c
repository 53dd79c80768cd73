/* Good: has a policy of its own, and replies it. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "policied",
    "description": "Tells its policy.",
    "inputSchema": {"type": "object"},
    "policySchema": {
        "type": "object",
        "properties": {
            "allowed_actions": {
                "type": "array", "items": {"enum": ["look", "touch"]}, "default": ["look"]
            },
            "depth": {"type": "integer", "minimum": 1, "default": 3}
        },
        "additionalProperties": false
    }
})

FIXTURE_INVOKE {
    char *content = malloc(request->policy.size + 16);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"json\":");
    memcpy(end, request->policy.data, request->policy.size);
    stpcpy(end + request->policy.size, "}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}
