/* Good: calls another tool through the host. */
#include "caller.h"

FIXTURE_SPEC_TEXT(TOOL_CONCURRENT, FIXTURE_JSON({
    "name": "caller",
    "description": "Calls another tool.",
    "inputSchema": {
        "type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]
    },
    "needs": {"tools": ["caller", "echo", "failer", "waiter", "asker", "careful", "hostile_crash"]}
}))

FIXTURE_INVOKE { return call_the_named_tool(request, host, call); }
