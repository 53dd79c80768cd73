/* tool_spec() returns NULL and prints the reason, as the SDK does after an exception. */
#include <stdio.h>

#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    fprintf(stderr, "tool_spec: duplicate tool add\n");
    return NULL;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
