// Resources: what libraries offer, and every tool's documentation.
#include "host/serve/governed_call.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/offers.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/resources.hpp"
#include "host/serve/server.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {
namespace {

void read_page(const ExchangePtr& exchange, const call::View& view, const std::string& uri) {
    const auto* tool = find_page(view, uri);
    if (!tool) return exchange->fail(resource_not_found(*exchange, uri));
    const Json contents{{"uri", uri},
                        {"mimeType", "text/markdown"},
                        {"text", exchange->server().options().page(tool->spec)}};
    exchange->reply(cacheable(*exchange, {{"contents", Json::array({contents})}}));
}

void reply_contents(Exchange& exchange, const std::string& uri, const call::ToolResult& result) {
    if (says_not_found(result)) return exchange.fail(resource_not_found(exchange, uri));
    if (result.error) return exchange.fail(offer_error(*result.error));
    Json contents = Json::array();
    for (const auto& block : result.content)
        if (const auto it = block.find("resource"); it != block.end()) contents.push_back(*it);
    if (contents.empty())
        return exchange.fail({rpc_code::kInternal, "the library's answer has no resource in it"});
    exchange.reply(cacheable(exchange, {{"contents", std::move(contents)}}));
}

}  // namespace

void list_resources(const ExchangePtr& exchange) {
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    Json all = all_offered(**view, "resources");
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
               all_offered(**view, "resourceTemplates"));
}

void read_resource(const ExchangePtr& exchange) {
    const auto uri = exchange->text_param("uri");
    if (uri.empty())
        return exchange->fail(
            {rpc_code::kInvalidParams, "Invalid params: resources/read needs a \"uri\""});
    const auto view = exchange->view();
    if (!view) return exchange->fail(view.error());
    if (uri.starts_with(kPages)) return read_page(exchange, **view, uri);
    const auto* reader = find_resource(**view, uri).by;
    if (!reader) return exchange->fail(resource_not_found(*exchange, uri));
    run_governed(exchange, {reader->spec.name,
                            {{"uri", uri}},
                            [uri](Exchange& answered, const call::ToolResult& result) {
                                reply_contents(answered, uri, result);
                            },
                            reader->library->path});
}

}  // namespace toolhost::serve
