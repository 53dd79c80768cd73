/* Declares TOOL_CONCURRENT, but stores a call's input where the next one overwrites it. */
#include <stdio.h>
#include <time.h>

#include "fixture.h"

FIXTURE_SPEC_TEXT(TOOL_CONCURRENT, FIXTURE_JSON({
    "name": "races",
    "description": "Replies its number, unless another call comes between.",
    "inputSchema": {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0, "maximum": 9}},
        "required": ["n"]
    }
}))

static volatile int number;

FIXTURE_INVOKE {
    char *n = fixture_value(request, "\"n\"");
    number = n == NULL ? 0 : atoi(n);
    free(n);
    const struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    char content[64];
    snprintf(content, sizeof content, "[{\"json\":%d}]", number);
    return fixture_reply(host, call, content);
}
