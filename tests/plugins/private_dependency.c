/* Good: has its own folder with a private library that RUNPATH $ORIGIN finds. */
#include "fixture.h"

const char *private_part(void);

FIXTURE_SPEC({
    "name": "private_dependency",
    "description": "Brings a part along.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return fixture_reply(host, call, private_part()); }
