/* Good: allows concurrent calls, and replies how many there were. */
#include "overlap.h"

FIXTURE_SPEC_TEXT(TOOL_CONCURRENT, FIXTURE_JSON({
    "name": "overlap_concurrent",
    "description": "Tells how many calls it saw at once.",
    "inputSchema": {"type": "object"}
}))

FIXTURE_INVOKE { return overlap_invoke(host, call); }
