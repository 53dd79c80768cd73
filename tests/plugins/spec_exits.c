/* tool_spec() ends the process, as if all were well. */
#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) { exit(0); }

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
