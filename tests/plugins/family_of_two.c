/* Good: one library, two tools; each replies which one was called. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "family": "pair",
    "tools": [
        {"name": "pair_first", "description": "The first.", "inputSchema": {"type": "object"}},
        {"name": "pair_second", "description": "The second.", "inputSchema": {"type": "object"}}
    ]
})

FIXTURE_INVOKE {
    char content[128];
    snprintf(content, sizeof content, "[{\"text\":\"%.*s\"}]", (int)request->tool.size,
             request->tool.data);
    return fixture_reply(host, call, content);
}
