/* Good: like caller, but serial; a call to itself must not wait for ever. */
#include "caller.h"

FIXTURE_SPEC_TEXT(TOOL_SERIAL, FIXTURE_JSON({
    "name": "serial_caller",
    "description": "Calls another tool.",
    "inputSchema": {
        "type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]
    },
    "needs": {"tools": ["serial_caller", "echo"]}
}))

FIXTURE_INVOKE { return call_the_named_tool(request, host, call); }
