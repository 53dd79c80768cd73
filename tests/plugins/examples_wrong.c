/* Its example expects another output. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "examples_wrong",
    "description": "Says hello, but its examples say else.",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "examples": [
        {"input": {"n": 1}, "output": "goodbye"}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"hello\"}]")
