/* Calls the tool that "ref" names with its own input, and replies that call's result. With its
 * own name it calls itself until the host's depth limit. */
#ifndef TOOLHOST_TESTS_CALLER_H
#define TOOLHOST_TESTS_CALLER_H

#include "fixture.h"

static inline tool_status call_the_named_tool(const tool_request *request, const tool_host *host,
                                              tool_call *call) {
    char *value = fixture_value(request, "\"ref\"");
    if (value == NULL) {
        return TOOL_BAD_INPUT;
    }
    const tool_str ref = {value + 1, strcspn(value + 1, "\"")};
    tool_str result = {NULL, 0};
    host->call_tool(call, &ref, &request->input, &result);
    free(value);

    char *content = malloc(result.size + 16);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"json\":");
    if (result.size > 0) {
        memcpy(end, result.data, result.size);
    }
    stpcpy(end + result.size, "}]");
    const tool_status status = fixture_reply(host, call, content);
    free(content);
    return status;
}

#endif /* TOOLHOST_TESTS_CALLER_H */
