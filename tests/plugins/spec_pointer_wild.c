/* tool_spec() returns an invalid pointer. */
#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) { return (const tool_spec_info *)4096; }

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
