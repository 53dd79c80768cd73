/* The name is a number. */
#include "fixture.h"

FIXTURE_SPEC({"name": 5, "description": "Numbered.", "inputSchema": {"type": "object"}})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
