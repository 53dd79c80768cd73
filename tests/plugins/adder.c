/* Good: adds two integers, with an output schema that holds. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "adder",
    "family": "arithmetic",
    "category": "compute",
    "description": "Adds two integers.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "the first summand"},
            "b": {"type": "integer", "description": "the second summand"}
        },
        "required": ["a", "b"],
        "additionalProperties": false
    }
})

FIXTURE_INVOKE {
    char *a = fixture_value(request, "\"a\"");
    char *b = fixture_value(request, "\"b\"");
    char content[64];
    snprintf(content, sizeof content, "[{\"text\":\"%ld\"}]",
             a == NULL || b == NULL ? 0 : atol(a) + atol(b));
    free(a);
    free(b);
    return fixture_reply(host, call, content);
}
