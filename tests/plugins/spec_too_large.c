/* The spec is 100 MB of valid JSON, and is refused. */
#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static const char json[] = FIXTURE_JSON(
        {"name": "spec_too_large", "description": "Large.", "inputSchema": {"type": "object"}});
    static tool_spec_info info = {
        sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, 0, {NULL, 100u << 20}};
    char *text = malloc(info.json.size);
    if (text == NULL) {
        abort();
    }
    memset(text, 0x20, info.json.size);
    memcpy(text, json, sizeof json - 1);
    info.json.data = text;
    return &info;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
