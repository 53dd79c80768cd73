/* Its first example promises another output, its second one does not fit the input schema. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "examples_wrong",
    "description": "Says hello, but its examples say else.",
    "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "examples": [
        {"input": {"n": 1}, "output": "goodbye"},
        {"input": {"n": "one"}}
    ]
})

FIXTURE_REPLIES("[{\"text\":\"hello\"}]")
