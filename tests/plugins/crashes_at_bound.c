/* Crashes only for the largest value that its own schema allows. */
#include <signal.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "crashes_at_bound",
    "description": "Dies of the largest number.",
    "inputSchema": {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0, "maximum": 7}},
        "required": ["n"],
        "additionalProperties": false
    }
})

FIXTURE_INVOKE {
    char *n = fixture_value(request, "\"n\"");
    if (n != NULL && atoi(n) == 7) {
        raise(SIGSEGV);
    }
    free(n);
    return fixture_reply(host, call, "[{\"text\":\"ok\"}]");
}
