/* Good: replies one block of every kind. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "blocks",
    "description": "A block of every kind.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES(
    "[{\"text\":\"words\"},{\"json\":{\"n\":1}},"
    "{\"image\":{\"format\":\"png\",\"source\":{\"bytes\":\"AA==\"}}},"
    "{\"audio\":{\"format\":\"wav\",\"source\":{\"bytes\":\"AA==\"}}},"
    "{\"document\":{\"format\":\"pdf\",\"name\":\"n\",\"source\":{\"bytes\":\"AA==\"}}},"
    "{\"resource\":{\"uri\":\"doc:///a\",\"mimeType\":\"text/plain\",\"text\":\"page\"}},"
    "{\"resource\":{\"uri\":\"doc:///b\",\"blob\":\"AA==\"}},"
    "{\"resourceLink\":{\"uri\":\"doc:///c\",\"name\":\"c\"}}]")
