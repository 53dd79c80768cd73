/* Hostile: schemas that cost far more to evaluate than to write. Each compares a large constant
 * 2^40 times with an equal input or output; or inserts a large default many times. */
#define _GNU_SOURCE
#include <stdio.h>

#include "hostile.h"

enum { kLevels = 40, kItems = 200000, kDefaultBytes = 900000 };

static char *append_items(char *end) {
    *end++ = '[';
    for (int i = 0; i < kItems; ++i) {
        end = stpcpy(end, i == 0 ? "7" : ",7");
    }
    *end++ = ']';
    *end = '\0';
    return end;
}

/* A schema for {"value": [7, 7, ...]} that applies its constant twice as often at each level. */
static char *append_doubling(char *end) {
    end = stpcpy(end, "{\"type\":\"object\",\"properties\":{\"value\":{\"$ref\":\"#/$defs/0\"}},"
                      "\"$defs\":{");
    for (int i = 0; i < kLevels; ++i) {
        end += sprintf(end, "\"%d\":{\"allOf\":[{\"$ref\":\"#/$defs/%d\"},{\"$ref\":\"#/$defs/%d\"}]},", i,
                       i + 1, i + 1);
    }
    end += sprintf(end, "\"%d\":{\"const\":", kLevels);
    end = append_items(end);
    return stpcpy(end, "}}}");
}

static char *append_filler(char *end) {
    end = stpcpy(end, "{\"type\":\"object\",\"properties\":{\"list\":{\"items\":{\"properties\":"
                      "{\"text\":{\"default\":\"");
    memset(end, 'd', kDefaultBytes);
    end += kDefaultBytes;
    return stpcpy(end, "\"}}}}}}");
}

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    static char text[4 << 20];
    char *end = stpcpy(text, "{\"family\":\"hostile_schema\",\"tools\":["
                             "{\"name\":\"costly_input\",\"description\":\"d\",\"inputSchema\":");
    end = append_doubling(end);
    end = stpcpy(end, "},{\"name\":\"costly_output\",\"description\":\"d\",\"inputSchema\":"
                      "{\"type\":\"object\"},\"outputSchema\":");
    end = append_doubling(end);
    end = stpcpy(end, "},{\"name\":\"costly_defaults\",\"description\":\"d\",\"inputSchema\":");
    end = append_filler(end);
    end = stpcpy(end, "}]}");
    static tool_spec_info info = {sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR,
                                  TOOL_SERIAL, 0, {text, 0}};
    info.json.size = (size_t)(end - text);
    return &info;
}

FIXTURE_INVOKE {
    char *content = malloc(kItems * 2 + 64);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"json\":{\"value\":");
    end = append_items(end);
    stpcpy(end, "}}]");
    return fixture_reply(host, call, content);
}
