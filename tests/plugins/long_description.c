/* Good: has a description of more than one line on a terminal. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "long_description",
    "description": "Tells at length what it is for, which fills more than one line of most terminals, so that a list of tools must cut it somewhere, and its last word is zebra.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
