/* Good: its schema contains references. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "referring",
    "description": "Takes a shape.",
    "inputSchema": {
        "$ref": "#/$defs/Shape",
        "$defs": {
            "Shape": {
                "type": "object",
                "properties": {
                    "points": {"type": "array", "items": {"$ref": "#/$defs/Point"}},
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                    "origin": {"$ref": "#/$defs/Point", "description": "Where it starts."},
                    "kind": {"oneOf": [{"const": "open"}, {"const": "closed"}]}
                },
                "required": ["points"]
            },
            "Point": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                "required": ["x", "y"]
            }
        }
    }
})

FIXTURE_REPLIES("[{\"text\":\"drawn\"}]")
