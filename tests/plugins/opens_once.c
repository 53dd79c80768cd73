/* Good: replies how often tool_open() ran before its call. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "opens_once",
    "description": "Counts.",
    "inputSchema": {"type": "object"}
})

static int opened;

TOOL_EXPORT tool_status tool_open(const tool_host *host) {
    ++opened;
    return TOOL_OK;
}

TOOL_EXPORT void tool_close(void) { --opened; }

FIXTURE_INVOKE {
    return fixture_reply(host, call,
                         opened == 1 ? "[{\"text\":\"once\"}]" : "[{\"text\":\"not once\"}]");
}
