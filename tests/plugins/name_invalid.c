/* The name contains a space and a slash. */
#include "fixture.h"

FIXTURE_SPEC({"name": "../not a name", "description": "Bad.", "inputSchema": {"type": "object"}})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
