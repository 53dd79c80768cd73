/* tool_spec() returns NULL. */
#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) { return NULL; }

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
