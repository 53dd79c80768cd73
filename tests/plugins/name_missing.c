/* The tool has no name. */
#include "fixture.h"

FIXTURE_SPEC({"description": "Has no name.", "inputSchema": {"type": "object"}})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
