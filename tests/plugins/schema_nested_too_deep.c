/* The inputSchema is valid, but so deep that recursive code overflows its stack. */
#include "fixture.h"

enum { DEPTH = 100000 };

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static tool_spec_info info = {
        sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, 0, {NULL, 0}};
    char *text = malloc(DEPTH * 8 + 128);
    if (text == NULL) {
        abort();
    }
    char *end = stpcpy(text, "{\"name\":\"schema_nested_too_deep\",\"description\":\"Deep.\",");
    end = stpcpy(end, "\"inputSchema\":");
    for (int i = 0; i < DEPTH; ++i) {
        end = stpcpy(end, "{\"not\":");
    }
    end = stpcpy(end, "true");
    memset(end, '}', DEPTH + 1);
    info.json.data = text;
    info.json.size = (size_t)(end - text) + DEPTH + 1;
    return &info;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
