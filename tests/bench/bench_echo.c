/* Replies its input, so that the round trip is measured. */
#include "toolhost/plugin.h"

static const char spec[] =
    "{\"name\": \"bench_echo\", \"description\": \"Answers with its input.\","
    " \"inputSchema\": {}}";

TOOL_EXPORT const tool_spec_info* tool_spec(void) {
    static const tool_spec_info info = {
        sizeof info, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_CONCURRENT, 0, {spec, sizeof spec - 1}};
    return &info;
}

TOOL_EXPORT tool_status tool_invoke(const tool_request* request, const tool_host* host,
                                    tool_call* call) {
    return host->reply(call, &request->input);
}
