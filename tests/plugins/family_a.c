/* Good, alone: another family has a tool of the same name, so the name alone does not say which. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "shared_name",
    "family": "family_a",
    "version": "1.0.0",
    "description": "Has a name that two families use.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"a\"}]")
