/* The smallest plugin, without the optional entry points. */
#include <toolhost/plugin.h>

static const char json[] =
    "{\"name\": \"smallest\", \"description\": \"Does nothing.\","
    " \"inputSchema\": {\"type\": \"object\"}}";

const tool_spec_info *tool_spec(void) {
    static tool_spec_info info = {sizeof info, TOOL_ABI_MAJOR, TOOL_ABI_MINOR, TOOL_SERIAL, 0,
                                  {json, sizeof json - 1}};
    return &info;
}

tool_status tool_invoke(const tool_request *request, const tool_host *host, tool_call *call) {
    static const char content[] = "[{\"text\": \"done\"}]";
    const tool_str reply = {content, sizeof content - 1};
    (void)request;
    return host->reply(call, &reply);
}
