/* The spec is an empty string without data. */
#include "fixture.h"

FIXTURE_INFO(sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, NULL, 0)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
