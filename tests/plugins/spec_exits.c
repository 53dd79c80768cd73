/* tool_spec() ends the process with exit code 0. */
#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) { exit(0); }

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
