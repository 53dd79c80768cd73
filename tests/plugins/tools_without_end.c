/* Refused: has as many tools as fit into a spec. */
#define _GNU_SOURCE
#include <stdio.h>

#include "fixture.h"

enum { kTools = 60000 };

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static char text[4 << 20];
    char *end = stpcpy(text, "{\"family\":\"tools_without_end\",\"tools\":[");
    for (int i = 0; i < kTools; ++i) {
        end += sprintf(end, "%s{\"name\":\"t%d\",\"description\":\"\",\"inputSchema\":{}}",
                       i == 0 ? "" : ",", i);
    }
    end = stpcpy(end, "]}");
    static tool_spec_info info = {sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR,
                                  TOOL_SERIAL, 0, {text, 0}};
    info.json.size = (size_t)(end - text);
    return &info;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
