// Resources: what libraries offer, and every tool's documentation.
#include "host/serve/governed_call.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/offers.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/server.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {
namespace {

constexpr std::string_view kPages = "toolhost://tools/";

RpcError not_found(const Exchange& exchange, const std::string& uri) {
    return {exchange.stateless() ? rpc_code::kInvalidParams : rpc_code::kResourceNotFound,
            "Resource not found: " + uri,
            {{"uri", uri}}};
}

void read_page(const ExchangePtr& exchange, const call::View& view, const std::string& uri) {
    for (const auto& [name, tool] : named_tools(view)) {
        if (name != std::string_view(uri).substr(kPages.size())) continue;
        const Json contents{{"uri", uri},
                            {"mimeType", "text/markdown"},
                            {"text", exchange->server().options().page(tool->spec)}};
        return exchange->reply(cacheable(*exchange, {{"contents", Json::array({contents})}}));
    }
    exchange->fail(not_found(*exchange, uri));
}

}  // namespace

void list_resources(const ExchangePtr& exchange) {
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    Json all = offered(**view, &registry::Offers::resources);
    for (const auto& [name, tool] : named_tools(**view))
        all.push_back({{"uri", std::string(kPages) + name},
                       {"name", name},
                       {"description", "Documentation of the tool '" + name + "'"},
                       {"mimeType", "text/markdown"}});
    reply_page(exchange, "resources", "uri", std::move(all));
}

void list_resource_templates(const ExchangePtr& exchange) {
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    reply_page(exchange, "resourceTemplates", "uriTemplate",
               offered(**view, &registry::Offers::resource_templates));
}

void read_resource(const ExchangePtr& exchange) {
    const auto uri = exchange->text_param("uri");
    if (uri.empty())
        return exchange->fail(
            {rpc_code::kInvalidParams, "Invalid params: resources/read needs a \"uri\""});
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    if (uri.starts_with(kPages)) return read_page(exchange, **view, uri);
    const auto* offers = find_resource(**view, uri);
    if (!offers) return exchange->fail(not_found(*exchange, uri));
    run_governed(exchange, {handler_reference(*offers, "resources/read"),
                            {{"uri", uri}},
                            [uri](Exchange& answered, const call::ToolResult& result) {
                                if (says_not_found(result))
                                    return answered.fail(not_found(answered, uri));
                                reply_offered(answered, result, "contents");
                            }});
}

}  // namespace toolhost::serve
