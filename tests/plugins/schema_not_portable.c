/* A schema that model providers refuse: a choice at the top level, an unusual name, no type. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "schema_not_portable",
    "description": "Has a schema of its own kind.",
    "inputSchema": {
        "type": "object",
        "properties": {"what it is": {"type": "string"}, "any": {}},
        "anyOf": [{"required": ["any"]}, {"required": []}]
    }
})

FIXTURE_REPLIES("[{\"text\":\"hello\"}]")
