#include "host/serve/http/endpoint.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/serve/http/media_type.hpp"
#include "host/serve/http/reply.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kText = "text/plain; charset=utf-8";
constexpr const char* kJson = "application/json";
constexpr const char* kEvents = "text/event-stream";
constexpr const char* kMetadata = "/.well-known/oauth-protected-resource";

// An error that belongs to no request of the protocol's, as the protocol words it.
HttpResponse refusal(int status, int code, std::string message, Json data = {}) {
    return {status, kJson, error_text({}, {code, std::move(message), std::move(data)})};
}

HttpResponse not_acceptable(int status, std::string message) {
    return refusal(status, rpc_code::kInvalidRequest, std::move(message));
}

MirroredHeaders mirrored(const HttpRequest& request) {
    auto text = [&](std::string_view name) -> std::optional<std::string> {
        const auto value = request.header(name);
        return value ? std::optional<std::string>(*value) : std::nullopt;
    };
    MirroredHeaders headers{text("mcp-protocol-version"), text("mcp-method"), text("mcp-name"), {}};
    for (const auto& [name, value] : request.headers)
        if (name.starts_with(kParamHeaders))
            headers.params[name.substr(kParamHeaders.size())] = value;
    return headers;
}

// For pages in browsers, whose origin the gate has let through.
std::vector<std::pair<std::string_view, std::string>> for_browsers(const HttpRequest& request) {
    const auto origin = request.header("origin");
    if (!origin) return {};
    return {{"Access-Control-Allow-Origin", std::string(*origin)},
            {"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate"},
            {"Vary", "Origin"}};
}

HttpResponse for_browsers(const HttpRequest& request, HttpResponse response) {
    for (auto& header : for_browsers(request)) response.headers.push_back(std::move(header));
    return response;
}

// What is wrong with the media types of a POST; nothing: they are as the protocol has them.
std::optional<HttpResponse> media_fault(const HttpRequest& request) {
    if (!is_type(request.header("content-type").value_or(""), kJson))
        return not_acceptable(415, "Content-Type must be application/json");
    const auto accept = request.header("accept").value_or("");
    if (!accepts(accept, kJson) || !accepts(accept, kEvents))
        return not_acceptable(406, "Accept must list application/json and text/event-stream");
    return std::nullopt;
}

HttpResponse too_many_requests(std::size_t most) {
    auto response = refusal(429, rpc_code::kBusy,
                            "too many concurrent requests and streams of this client (" +
                                std::to_string(most) + "): end one, or try again later");
    response.headers = {{"Retry-After", "1"}};
    return response;
}

HttpResponse no_such_session() {
    return refusal(
        404, rpc_code::kInvalidRequest,
        "Session not found: it has ended or never existed; open a new one with \"initialize\"");
}

}  // namespace

struct HttpEndpoint::Route {
    std::string_view path, method;
    Handler handle;
    bool open = false;      // without authentication
    bool any_host = false;  // for those who look after this machine, and know it by its number
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
    if (auto refused = parts_.gate.refusal(request); refused && !(is_found && found->any_host))
        return connection->respond(not_acceptable(refused->status, std::move(refused->why)));
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

// By the headers alone, before the body is read. False: it has been answered.
bool HttpEndpoint::admit(const Route& route, const ConnectionPtr& connection) const {
    auto& request = connection->request();
    const auto refuse = [&](HttpResponse response) {
        connection->respond(for_browsers(request, std::move(response)));
        return false;
    };
    Principal principal;
    if (parts_.authenticator && !route.open) {
        auto admitted =
            parts_.authenticator->admit(request.header("authorization"), route.entrance);
        if (!admitted) {
            const auto& refused = admitted.error();
            auto response = not_acceptable(refused.status, refused.message);
            if (!refused.challenge.empty())
                response.headers.emplace_back("WWW-Authenticate", refused.challenge);
            return refuse(std::move(response));
        }
        principal = *std::move(admitted);
        connection->let_in();
    }
    if (route.fault)
        if (auto fault = route.fault(request)) return refuse(*std::move(fault));
    if (!route.open) {
        auto& server = parts_.server;
        const auto most = server.share_of(parts_.limits.connections);
        if (!connection->charge(server.usages().of(principal), most,
                                server.share_of(parts_.limits.held_bytes)))
            return refuse(too_many_requests(most));
    }
    request.principal = std::move(principal);
    return true;
}

void HttpEndpoint::post_message(const ConnectionPtr& connection, const Principal& principal) const {
    auto& request = connection->request();
    auto refuse = [&](HttpResponse response) {
        connection->respond(for_browsers(request, std::move(response)));
    };
    const auto headers = mirrored(request);
    const auto revision = headers.version ? find_revision(*headers.version) : std::nullopt;
    HttpSessionPtr known;
    // A request that stands for itself has no session, whatever its client sends along.
    const auto id = request.header("mcp-session-id");
    if (id && !(revision && is_stateless(*revision))) {
        known = parts_.sessions.find(*id, principal);
        if (!known) return refuse(no_such_session());
        if (headers.version && !revision)
            return refuse(refusal(400, rpc_code::kInvalidRequest,
                                  "Unsupported protocol version '" + *headers.version + "'",
                                  {{"supported", kRevisionNames}}));
    }
    auto session = known ? known->session() : parts_.server.open_session(principal);
    const auto reply = std::make_shared<HttpReply>(connection, session, known, parts_.sessions,
                                                   parts_.server, for_browsers(request));
    connection->when_gone([reply] { reply->gone(); });
    // Of its own: once this one is answered, the connection reads the next.
    const std::string body = std::move(request.body);
    parts_.server.handle(session, body, reply, &headers);
}

void HttpEndpoint::open_stream(const ConnectionPtr& connection, const Principal& principal) const {
    const auto& request = connection->request();
    const auto id = request.header("mcp-session-id");
    if (!id) {
        HttpResponse response{405, kText,
                              "A stream belongs to a session (Mcp-Session-Id); without one, POST "
                              "subscriptions/listen.\n"};
        response.headers = {{"Allow", "POST"}};
        return connection->respond(std::move(response));
    }
    if (!accepts(request.header("accept").value_or(""), kEvents))
        return connection->respond(not_acceptable(406, "Accept must list text/event-stream"));
    const auto known = parts_.sessions.find(*id, principal);
    if (!known) return connection->respond(no_such_session());
    auto stream = known->standalone();
    std::optional<std::uint64_t> seen;
    if (const auto last = request.header("last-event-id")) {
        const auto named = read_event_id(*last);
        stream = named ? known->find_stream(named->first) : nullptr;
        if (!stream)
            return connection->respond(not_acceptable(
                404, "Last-Event-ID does not match a stream of this session that is still kept"));
        seen = named->second;
    }
    auto head = stream_head();
    for (auto& header : for_browsers(request)) head.headers.push_back(std::move(header));
    connection->when_gone([stream, gone = connection.get()] { stream->detach(gone); });
    connection->begin_stream(std::move(head));
    if (seen)
        stream->attach(connection, *seen, known->primes());
    else
        stream->attach_unsent(connection, known->primes());
}

void HttpEndpoint::end_session(const ConnectionPtr& connection, const Principal& principal) const {
    const auto id = connection->request().header("mcp-session-id");
    if (!id)
        return connection->respond(
            not_acceptable(400, "DELETE requires the header Mcp-Session-Id"));
    HttpResponse response =
        parts_.sessions.end(*id, principal) ? HttpResponse{204} : no_such_session();
    response.headers = for_browsers(connection->request());
    connection->respond(std::move(response));
}

void HttpEndpoint::tell_health(const ConnectionPtr& connection, const Principal&) const {
    connection->respond({200, kText, "ok\n"});
}

void HttpEndpoint::tell_readiness(const ConnectionPtr& connection, const Principal&) const {
    if (parts_.server.closing()) return connection->respond({503, kText, "shutting down\n"});
    connection->respond({200, kText, "ready\n"});
}

void HttpEndpoint::tell_metrics(const ConnectionPtr& connection, const Principal&) const {
    connection->respond({200, "text/plain; version=0.0.4; charset=utf-8", parts_.metrics()});
}

void HttpEndpoint::tell_metadata(const ConnectionPtr& connection, const Principal&) const {
    if (!parts_.authenticator || parts_.authenticator->metadata().is_null())
        return connection->respond({404, kText, "No OAuth issuer is configured here.\n"});
    HttpResponse response{200, kJson, dump(parts_.authenticator->metadata())};
    response.headers = for_browsers(connection->request());
    connection->respond(std::move(response));
}

void HttpEndpoint::preflight(const ConnectionPtr& connection, const Principal&) const {
    HttpResponse response{204};
    response.headers = for_browsers(connection->request());
    response.headers.emplace_back("Access-Control-Allow-Methods", "POST, GET, DELETE");
    response.headers.emplace_back("Access-Control-Allow-Headers",
                                  "Authorization, *");  // a star is all but that one
    response.headers.emplace_back("Access-Control-Max-Age", "600");
    connection->respond(std::move(response));
}

}  // namespace toolhost::serve
