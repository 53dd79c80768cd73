/* Exports tool_invoke() only. */
#include "fixture.h"

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
