// tools/list and tools/call.
#include "host/schema/plain.hpp"
#include "host/serve/governed_call.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/rendering.hpp"
#include "host/serve/server.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {
namespace {

void render_call(Exchange& exchange, const call::ToolResult& result) {
    if (result.error && is_unknown(result.error->code))
        return exchange.fail({rpc_code::kInvalidParams, "Unknown tool: " + result.error->message,
                              to_json(*result.error)});
    auto text = exchange.begin_result();
    render_result(result, exchange.client().revision, text);
    exchange.reply(std::move(text));
}

}  // namespace

void list_tools(const ExchangePtr& exchange) {
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    Json tools = Json::array();
    const bool plainly = exchange->server().options().plain_schemas;
    for (const auto& [name, tool] : named_tools(**view)) {
        tools.push_back(render_tool(*tool, name, exchange->client().revision));
        if (plainly) tools.back()["inputSchema"] = schema::plain(tool->spec.input_schema());
    }
    reply_page(exchange, "tools", "name", std::move(tools));
}

void call_tool(const ExchangePtr& exchange) {
    const std::string name = exchange->text_param("name");
    if (name.empty())
        return exchange->fail(
            {rpc_code::kInvalidParams, "Invalid params: tools/call needs the tool's \"name\""});
    Json arguments = exchange->take_arguments();
    if (!arguments.is_object())
        return exchange->fail(
            {rpc_code::kInvalidParams, "Invalid params: \"arguments\" must be an object"});
    if (exchange->headers() && exchange->stateless()) {
        const auto view = exchange->view();
        if (!view) return exchange->fail(view.error());
        if (const auto tool = (*view)->catalogue().resolve(reference_of(name)))
            if (auto fault = check_param_headers(*exchange->headers(), (*tool)->spec.input_schema(),
                                                 arguments))
                return exchange->fail(*fault);
    }
    run_governed(exchange, {reference_of(name), std::move(arguments), render_call});
}

}  // namespace toolhost::serve
