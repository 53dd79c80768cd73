/* Bad: crashes in its call in the way that its input names. */
#include <signal.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "crasher",
    "description": "Dies.",
    "inputSchema": {
        "type": "object", "properties": {"how": {"enum": ["signal", "exit"]}}, "required": ["how"]
    }
})

FIXTURE_INVOKE {
    char *how = fixture_value(request, "\"how\"");
    if (how != NULL && how[1] == 'e') {
        exit(7);
    }
    raise(SIGSEGV);
    return TOOL_FAILED;
}
