// The endpoint's other half: which requests are taken, and from whom.
#include <algorithm>

#include "host/serve/http/endpoint.hpp"
#include "host/serve/http/media_type.hpp"
#include "host/serve/http/refusals.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kMetadata = "/.well-known/oauth-protected-resource";

// What is wrong with the media types of a POST; nothing: they are as the protocol has them.
std::optional<HttpResponse> media_fault(const HttpRequest& request) {
    if (!is_type(request.header(Header::content_type).value_or(""), kJson))
        return not_acceptable(415, "Content-Type must be application/json");
    const auto accept = request.header(Header::accept).value_or("");
    if (!accepts(accept, kJson) || !accepts(accept, kEvents))
        return not_acceptable(406, "Accept must list application/json and text/event-stream");
    return std::nullopt;
}

HttpResponse too_many_connections(std::size_t most) {
    auto response = refusal(429, rpc_code::kBusy,
                            "too many connections of this client at once (" + std::to_string(most) +
                                "): close one, or try again later");
    response.headers = {{"Retry-After", "1"}};
    response.close = true;
    return response;
}

}  // namespace

struct HttpEndpoint::Route {
    std::string_view path, method;
    Handler handle;
    bool open = false;      // needs no token
    bool any_host = false;  // any Host header: monitoring addresses the machine by its number
    bool below = false;     // paths that begin so, too
    Entrance entrance = Entrance::agents;
    std::optional<HttpResponse> (*fault)(const HttpRequest&) = nullptr;  // of the headers

    [[nodiscard]] bool has(std::string_view wanted) const {
        return wanted == path || (below && wanted.starts_with(path) && wanted[path.size()] == '/');
    }
};

const HttpEndpoint::Route HttpEndpoint::kRoutes[] = {
    {"/mcp", "POST", &HttpEndpoint::post_message, false, false, false, Entrance::agents,
     media_fault},
    {"/mcp", "GET", &HttpEndpoint::open_stream},
    {"/mcp", "DELETE", &HttpEndpoint::end_session},
    {"/mcp", "OPTIONS", &HttpEndpoint::preflight, true},
    {"/healthz", "GET", &HttpEndpoint::tell_health, true, true},
    {"/healthz", "HEAD", &HttpEndpoint::tell_health, true, true},
    {"/readyz", "GET", &HttpEndpoint::tell_readiness, true, true},
    {"/readyz", "HEAD", &HttpEndpoint::tell_readiness, true, true},
    {"/metrics", "GET", &HttpEndpoint::tell_metrics, false, false, false, Entrance::metrics},
    // Behind it may come the path of the resource, whatever that is to those outside.
    {kMetadata, "GET", &HttpEndpoint::tell_metadata, true, false, true},
    {kMetadata, "OPTIONS", &HttpEndpoint::preflight, true, false, true},
};

void HttpEndpoint::take(const ConnectionPtr& connection) const {
    const auto& request = connection->request();
    const auto found = std::ranges::find_if(kRoutes, [&](const Route& route) {
        return route.method == request.method && route.has(request.path);
    });
    const bool is_found = found != std::end(kRoutes);
    const auto refused = parts_.gate.refusal(request);
    // A token may have been revoked: requests without a valid one do not keep a connection.
    if (refused || !is_found || found->open) connection->let_out();
    if (refused && !(is_found && found->any_host))
        return connection->respond(not_acceptable(refused->status, refused->why));
    if (is_found) return handle(*found, connection);
    std::string allowed;
    for (const auto& route : kRoutes)
        if (route.has(request.path))
            allowed.append(allowed.empty() ? "" : ", ").append(route.method);
    if (allowed.empty())
        return connection->respond({404, kText, "Not found. MCP is served at /mcp.\n"});
    HttpResponse response{405, kText, "This method is not allowed for this path.\n"};
    response.headers = {{"Allow", allowed}};
    connection->respond(std::move(response));
}

void HttpEndpoint::handle(const Route& route, const ConnectionPtr& connection) const {
    const auto answer = [&] {
        if (!connection->request().principal && !admit(route, connection)) return;
        // An open route has no use for a body, and its sender is not known.
        if (!connection->is_whole() && !route.open) return connection->read_body();
        const auto principal = *connection->request().principal;
        (this->*route.handle)(connection, principal);
    };
    // An issuer may have to be asked for its keys, and a tool may take its time.
    parts_.run(std::ref(answer));  // a reference is not copied
}

// By the headers alone: who is refused sends a body in vain. False: it has been answered.
bool HttpEndpoint::admit(const Route& route, const ConnectionPtr& connection) const {
    auto& request = connection->request();
    const auto refuse = [&](HttpResponse response) {
        connection->respond(for_browsers(request, std::move(response)));
        return false;
    };
    Principal principal;
    if (parts_.authenticator && !route.open) {
        auto admitted =
            parts_.authenticator->admit(request.header(Header::authorization), route.entrance);
        if (!admitted) {
            connection->let_out();
            const auto& refused = admitted.error();
            auto response = not_acceptable(refused.status, refused.message);
            if (!refused.challenge.empty())
                response.headers.emplace_back("WWW-Authenticate", refused.challenge);
            return refuse(std::move(response));
        }
        principal = *std::move(admitted);
        const auto most = parts_.server.share_of(parts_.limits.connections);
        if (!connection->let_in(parts_.server.usages().of(principal), most))
            return refuse(too_many_connections(most));
    }
    if (route.fault)
        if (auto fault = route.fault(request)) return refuse(*std::move(fault));
    if (!route.open) {
        auto& server = parts_.server;
        connection->charge(server.usages().of(principal),
                           server.share_of(parts_.limits.held_bytes));
    }
    request.principal = std::move(principal);
    return true;
}

}  // namespace toolhost::serve
