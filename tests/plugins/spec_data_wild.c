/* The spec has a size, but an invalid data pointer. */
#include "fixture.h"

FIXTURE_INFO(sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL,
             (const char *)4096, 100)

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
