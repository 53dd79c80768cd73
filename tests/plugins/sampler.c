/* Good: asks for the client's model and its roots. */
#include <stdio.h>

#include "fixture.h"
#include "toolhost/ext/roots.h"
#include "toolhost/ext/sampling.h"

FIXTURE_SPEC({
    "name": "sampler",
    "description": "Asks the caller's model.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_sampling *sampling = host->extension(host, TOOL_EXT_SAMPLING);
    const tool_roots *roots = host->extension(host, TOOL_EXT_ROOTS);
    if (sampling == NULL || roots == NULL) {
        return TOOL_UNSUPPORTED;
    }
    const tool_str params = fixture_str(
        "{\"maxTokens\":10,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
        "\"text\":\"Hello?\"}}]}");
    tool_str answer = {NULL, 0}, folders = {NULL, 0};
    const tool_status asked = sampling->create_message(call, &params, &answer);
    const tool_status listed = roots->list(call, &folders);
    if (asked != TOOL_OK || listed != TOOL_OK) {
        return asked != TOOL_OK ? asked : listed;
    }
    const size_t size = answer.size + folders.size + 64;
    char *content = malloc(size);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    snprintf(content, size, "[{\"json\":{\"model\":%.*s,\"roots\":%.*s}}]", (int)answer.size,
             answer.data, (int)folders.size, folders.data);
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}
