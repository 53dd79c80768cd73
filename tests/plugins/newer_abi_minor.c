/* Good: a later minor version, whose larger struct this host reads only as far as it knows it. */
#include "fixture.h"

typedef struct later_spec_info {
    tool_spec_info known;
    tool_str appended;
} later_spec_info;

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static const char json[] = FIXTURE_JSON(
        {"name": "newer_abi_minor", "description": "Newer.", "inputSchema": {"type": "object"}});
    static const later_spec_info info = {
        {sizeof(later_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR + 7, TOOL_SERIAL, 0,
         {json, sizeof json - 1}},
        {(const char *)1, 1}};
    return &info.known;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
