/* Refused: built with a plugin.h before the first version. */
#include "fixture.h"

static const char json[] = FIXTURE_JSON({
    "name": "older_abi_major",
    "description": "From the past.",
    "inputSchema": {"type": "object"}
});

FIXTURE_INFO(sizeof(tool_spec_info), 0, 9, TOOL_SERIAL, json,
             sizeof json - 1)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
