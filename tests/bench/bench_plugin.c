/* A minimal call, so that the host is measured. The digits of the name are overwritten in copies
 * of the library, to create any number of different plugins. */
#include <string.h>

#include "toolhost/plugin.h"

static const char spec[] =
    "{\"name\": \"bench_00000000\", \"version\": \"1.0.0\", \"category\": \"compute\","
    " \"description\": \"Adds two numbers. Use it where a sum is wanted and nothing else is.\","
    " \"inputSchema\": {\"type\": \"object\", \"properties\": {"
    "\"a\": {\"type\": \"number\", \"description\": \"the first number\"},"
    "\"b\": {\"type\": \"number\", \"description\": \"the second number\"}},"
    " \"required\": [\"a\", \"b\"], \"additionalProperties\": false},"
    " \"outputSchema\": {\"type\": \"object\", \"properties\": {\"result\": {\"type\": "
    "\"number\"}},"
    " \"required\": [\"result\"]}}";

TOOL_EXPORT const tool_spec_info* tool_spec(void) {
    static const tool_spec_info info = {
        sizeof info, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_CONCURRENT, 0, {spec, sizeof spec - 1}};
    return &info;
}

TOOL_EXPORT tool_status tool_invoke(const tool_request* request, const tool_host* host,
                                    tool_call* call) {
    static const char content[] = "[{\"json\": {\"result\": 5}}]";
    const tool_str reply = {content, sizeof content - 1};
    (void)request;
    return host->reply(call, &reply);
}
