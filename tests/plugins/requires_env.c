/* Good, and usable only if TOOLHOST_TEST_TOKEN is set. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "requires_env",
    "description": "Needs a token.",
    "requires": {"env:TOOLHOST_TEST_TOKEN": "*"},
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
