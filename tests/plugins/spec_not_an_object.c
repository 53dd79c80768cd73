/* The spec is JSON, but not an object. */
#include "fixture.h"

FIXTURE_SPEC_TEXT(TOOL_SERIAL, "[\"spec_not_an_object\"]")

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
