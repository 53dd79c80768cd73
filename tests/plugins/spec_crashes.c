/* tool_spec() crashes. */
#include <signal.h>

#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    raise(SIGSEGV);
    return NULL;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
