// Resources: what libraries offer, and every tool's documentation.
#include "host/serve/methods.hpp"
#include "host/serve/offers.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/resources.hpp"
#include "host/serve/server.hpp"
#include "host/serve/tool_names.hpp"

namespace toolhost::serve {
namespace {

void read_page(const RequestPtr& request, const call::View& view, const std::string& uri) {
    const auto* tool = find_page(view, uri);
    if (!tool) return request->fail(resource_not_found(*request, uri));
    const Json contents{{"uri", uri},
                        {"mimeType", "text/markdown"},
                        {"text", request->server().options().page(tool->spec)}};
    request->reply(cacheable(*request, {{"contents", Json::array({contents})}}));
}

void render_resource(Request& request, const call::ToolResult& result) {
    if (says_not_found(result))
        return request.fail(resource_not_found(request, request.text_param("uri")));
    if (result.error) return request.fail(offer_error(*result.error));
    Json contents = Json::array();
    for (const auto& block : result.content)
        if (block.kind == call::ContentKind::resource) contents.push_back(block.value);
    if (contents.empty())
        return request.fail({rpc_code::kInternal, "the library's reply contains no resource"});
    request.reply(cacheable(request, {{"contents", std::move(contents)}}));
}

}  // namespace

void list_resources(const RequestPtr& request) {
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    Json all = all_offered(**view, "resources");
    for (const auto& [name, tool] : named_tools(**view))
        all.push_back({{"uri", std::string(kPages) + name},
                       {"name", name},
                       {"description", "Documentation of tool '" + name + "'"},
                       {"mimeType", "text/markdown"}});
    reply_page(request, "resources", "uri", std::move(all));
}

void list_resource_templates(const RequestPtr& request) {
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    reply_page(request, "resourceTemplates", "uriTemplate",
               all_offered(**view, "resourceTemplates"));
}

void read_resource(const RequestPtr& request) {
    const auto uri = request->text_param("uri");
    if (uri.empty())
        return request->fail(
            {rpc_code::kInvalidParams, "Invalid params: resources/read requires \"uri\""});
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    if (uri.starts_with(kPages)) return read_page(request, **view, uri);
    const auto* reader = find_resource(**view, uri).by;
    if (!reader) return request->fail(resource_not_found(*request, uri));
    request->start_call({.reference = reader->spec.name,
                         .input = {{"uri", uri}},
                         .offered_by = reader->library->path},
                        render_resource);
}

}  // namespace toolhost::serve
