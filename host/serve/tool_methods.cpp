// tools/list and tools/call.
#include "host/schema/plain.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/rendering.hpp"
#include "host/serve/server.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {
namespace {

void render_call(Request& request, const call::ToolResult& result) {
    if (result.error && is_unknown(result.error->code))
        return request.fail(
            {rpc_code::kInvalidParams, result.error->message, to_json(*result.error)});
    auto text = request.begin_result();
    render_result(result, request.client().revision, text);
    request.reply(std::move(text));
}

}  // namespace

void list_tools(const RequestPtr& request) {
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    Json tools = Json::array();
    const bool plainly = request->server().options().plain_schemas;
    for (const auto& [name, tool] : named_tools(**view)) {
        tools.push_back(render_tool(*tool, name, request->client().revision));
        if (plainly) tools.back()["inputSchema"] = schema::plain(tool->spec.input_schema());
    }
    reply_page(request, "tools", "name", std::move(tools));
}

void call_tool(const RequestPtr& request) {
    const auto& name = request->params().name;
    if (name.empty())
        return request->fail(
            {rpc_code::kInvalidParams, "Invalid params: tools/call requires \"name\""});
    auto use = request->take_use(reference_of(name));
    if (!use.input.is_object())
        return request->fail(
            {rpc_code::kInvalidParams, "Invalid params: \"arguments\" must be an object"});
    if (request->headers() && request->stateless()) {
        const auto view = request->view();
        if (!view) return request->fail(view.error());
        if (const auto tool = (*view)->catalogue().resolve(use.reference))
            if (auto fault = check_param_headers(*request->headers(), (*tool)->spec.input_schema(),
                                                 use.input))
                return request->fail(*fault);
    }
    request->start_call(std::move(use), render_call);
}

}  // namespace toolhost::serve
