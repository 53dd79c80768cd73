/* Calls a function that no library defines, which the linker does not report. */
#include "fixture.h"

int defined_nowhere(void);

FIXTURE_SPEC({
    "name": "unresolved_symbol",
    "description": "Calls nobody.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE { return defined_nowhere(); }
