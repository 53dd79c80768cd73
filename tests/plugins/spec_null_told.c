/* tool_spec() returns NULL and prints why, as the SDK does when something throws. */
#include <stdio.h>

#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    fprintf(stderr, "tool_spec: duplicate tool add\n");
    return NULL;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
