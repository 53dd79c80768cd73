/* Good on its own: another family has a tool with the same name, so the name alone is ambiguous. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "shared_name",
    "family": "family_b",
    "version": "1.1.0",
    "description": "Has a name that two families use.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"b\"}]")
