// Who wants to hear of changes.
#include "host/serve/methods.hpp"
#include "host/serve/resources.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

constexpr std::size_t kMaxSubscriptions = 1000;
constexpr std::size_t kMaxUriBytes = 4096;  // they are remembered

RpcError needs_uri() {
    return {rpc_code::kInvalidParams,
            "Invalid params: \"uri\" is required, with at most 4096 bytes"};
}

}  // namespace

void subscribe(const RequestPtr& request) {
    const auto uri = request->text_param("uri");
    if (uri.empty() || uri.size() > kMaxUriBytes) return request->fail(needs_uri());
    const auto view = request->view();
    if (!view) return request->fail(view.error());
    if (!is_readable(**view, uri)) return request->fail(resource_not_found(*request, uri));
    if (request->session()->subscriptions() >= kMaxSubscriptions)
        return request->fail({rpc_code::kBusy, "too many subscriptions in this session (1000)"});
    request->session()->subscribe(uri);
    request->reply(Json::object());
}

void unsubscribe(const RequestPtr& request) {
    const auto uri = request->text_param("uri");
    if (uri.empty()) return request->fail(needs_uri());
    request->session()->unsubscribe(uri);
    request->reply(Json::object());
}

void listen(const RequestPtr& request) {
    const Json& wished = request->params().other("notifications");
    if (!wished.is_object())
        return request->fail(
            {rpc_code::kInvalidParams,
             "Invalid params: subscriptions/listen requires \"notifications\", an object"});
    Json granted = Json::object();
    for (const char* wish : {"toolsListChanged", "promptsListChanged", "resourcesListChanged"})
        if (wished.value(wish, Json()) == true) granted[wish] = true;
    if (const Json uris = wished.value("resourceSubscriptions", Json()); uris.is_array()) {
        if (uris.size() > kMaxSubscriptions)
            return request->fail({rpc_code::kBusy, "too many resources in one stream (1000)"});
        for (const auto& uri : uris)
            if (!uri.is_string() || uri.get_ref<const std::string&>().size() > kMaxUriBytes)
                return request->fail(needs_uri());
        const auto view = request->view();
        if (!view) return request->fail(view.error());
        // What there is not, or not for this client, is left out, and so told by the
        // acknowledgement.
        Json& told = granted["resourceSubscriptions"] = Json::array();
        for (const auto& uri : uris)
            if (is_readable(**view, uri.get_ref<const std::string&>())) told.push_back(uri);
    }
    if (auto busy = request->server().listeners().add(request, std::move(granted)))
        request->fail({rpc_code::kBusy, *std::move(busy)});
}

}  // namespace toolhost::serve
