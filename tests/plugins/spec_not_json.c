/* The spec is truncated. */
#include "fixture.h"

FIXTURE_SPEC_TEXT(TOOL_SERIAL, "{\"name\": \"spec_not_json\", \"inputSchema\": {")

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
