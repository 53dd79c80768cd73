/* The description contains invalid UTF-8. */
#include "fixture.h"

FIXTURE_SPEC_TEXT(TOOL_SERIAL,
                  "{\"name\": \"spec_not_utf8\", \"description\": \"\xc3\x28\","
                  " \"inputSchema\": {\"type\": \"object\"}}")

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
