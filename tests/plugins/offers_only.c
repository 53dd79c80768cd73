/* Good: has no tool, and offers resources and prompts. */
#include "fixture.h"

FIXTURE_SPEC({
    "family": "library",
    "resources": [{"uri": "library:index", "name": "index"}],
    "prompts": [{"name": "lend"}, {"name": "return"}]
})

FIXTURE_REPLIES("[{\"resource\":{\"uri\":\"library:index\",\"text\":\"none\"}}]")
