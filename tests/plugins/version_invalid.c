/* The version is not SemVer. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "version_invalid",
    "description": "Version fruit.",
    "version": "banana",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
