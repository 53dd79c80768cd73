/* A family without tools. */
#include "fixture.h"

FIXTURE_SPEC({"family": "deserted", "tools": []})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
