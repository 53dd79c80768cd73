/* Good: unknown keys are kept and shown, not refused. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "unknown_spec_keys",
    "description": "Has more to say.",
    "inputSchema": {"type": "object"},
    "maintainer": {"name": "somebody"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
