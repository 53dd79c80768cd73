/* Refused: each of its thousands of examples fits the schema, which takes milliseconds to check. */
#define _GNU_SOURCE
#include <stdio.h>

#include "fixture.h"

enum { kTools = 100, kExamples = 100, kLevels = 17 };

/* Accepts everything, and applies its last subschema 2^kLevels times. */
static char *append_schema(char *end) {
    end = stpcpy(end, "{\"type\":\"object\",\"$ref\":\"#/$defs/0\",\"$defs\":{");
    for (int i = 0; i < kLevels; ++i) {
        end += sprintf(end, "\"%d\":{\"allOf\":[{\"$ref\":\"#/$defs/%d\"},{\"$ref\":\"#/$defs/%d\"}]},", i,
                       i + 1, i + 1);
    }
    end += sprintf(end, "\"%d\":{\"maxProperties\":9}", kLevels);
    return stpcpy(end, "}}");
}

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static char text[1 << 20];
    char *end = stpcpy(text, "{\"family\":\"examples_without_end\",\"tools\":[");
    for (int tool = 0; tool < kTools; ++tool) {
        end += sprintf(end, "%s{\"name\":\"t%d\",\"description\":\"d\",\"inputSchema\":",
                       tool == 0 ? "" : ",", tool);
        end = append_schema(end);
        end = stpcpy(end, ",\"examples\":[");
        for (int i = 0; i < kExamples; ++i) {
            end = stpcpy(end, i == 0 ? "{\"input\":{}}" : ",{\"input\":{}}");
        }
        end = stpcpy(end, "]}");
    }
    end = stpcpy(end, "]}");
    static tool_spec_info info = {sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR,
                                  TOOL_SERIAL, 0, {text, 0}};
    info.json.size = (size_t)(end - text);
    return &info;
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
