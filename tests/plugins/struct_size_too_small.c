/* Its struct_size does not include the spec: nothing beyond it may be read. */
#include "fixture.h"

static const char json[] = FIXTURE_JSON({
    "name": "struct_size_too_small",
    "description": "Says too little.",
    "inputSchema": {"type": "object"}
});

FIXTURE_INFO(8, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, json,
             sizeof json - 1)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
