/* The name has 65 characters. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "a_name_of_sixty_five_characters_________________________________x",
    "description": "One character too many.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
