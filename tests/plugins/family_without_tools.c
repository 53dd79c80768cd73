/* A family with no tool in it. */
#include "fixture.h"

FIXTURE_SPEC({"family": "deserted", "tools": []})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
