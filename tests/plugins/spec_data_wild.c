/* The spec says a size, and its data points at nothing. */
#include "fixture.h"

FIXTURE_INFO(sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL,
             (const char *)4096, 100)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
