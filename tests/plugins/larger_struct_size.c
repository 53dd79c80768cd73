/* Good: a larger struct_size of the same minor version is accepted. */
#include "fixture.h"

static const char json[] = FIXTURE_JSON({
    "name": "larger_struct_size",
    "description": "Larger.",
    "inputSchema": {"type": "object"}
});

FIXTURE_INFO(sizeof(tool_spec_info) + 64, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, json,
             sizeof json - 1)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
