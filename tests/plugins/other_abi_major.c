/* Refused: built with a plugin.h of another major version. */
#include "fixture.h"

static const char json[] = FIXTURE_JSON({
    "name": "other_abi_major",
    "description": "From the future.",
    "inputSchema": {"type": "object"}
});

FIXTURE_INFO(sizeof(tool_spec_info), TOOL_ABI_MAJOR + 1, 0, TOOL_SERIAL, json,
             sizeof json - 1)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
