#include "host/serve/http/endpoint.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/serve/http/media_type.hpp"
#include "host/serve/http/refusals.hpp"
#include "host/serve/http/reply.hpp"

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

MirroredHeaders mirrored(const HttpRequest& request) {
    MirroredHeaders headers;
    const auto copy = [&](Header header, std::optional<std::string>& into) {
        if (const auto value = request.header(header)) into.emplace(*value);
    };
    copy(Header::mcp_protocol_version, headers.version);
    copy(Header::mcp_method, headers.method);
    copy(Header::mcp_name, headers.name);
    headers.params.insert(request.params.begin(), request.params.end());
    return headers;
}

// Detaches a stream of a session from the connection that carries it.
class StreamWatcher : public HttpConnection::Watcher {
public:
    StreamWatcher(std::shared_ptr<EventStream> stream, const HttpConnection& connection)
        : stream_(std::move(stream)), connection_(connection) {}
    void gone() override { stream_->detach(&connection_); }

private:
    const std::shared_ptr<EventStream> stream_;
    const HttpConnection& connection_;  // which calls this
};

HttpResponse no_such_session() {
    return refusal(
        404, rpc_code::kInvalidRequest,
        "Session not found: it has ended or never existed; open a new one with \"initialize\"");
}

}  // namespace

struct HttpEndpoint::Route {
    std::string_view path, method;
    Handler handle;
    AdmissionRule rule{};
    bool any_host = false;  // any Host header: monitoring addresses the machine by its number
    bool below = false;     // paths that begin so, too

    [[nodiscard]] bool has(std::string_view wanted) const {
        return wanted == path || (below && wanted.starts_with(path) && wanted[path.size()] == '/');
    }
};

const HttpEndpoint::Route HttpEndpoint::kRoutes[] = {
    {"/mcp", "POST", &HttpEndpoint::post_message, {.fault = media_fault}},
    {"/mcp", "GET", &HttpEndpoint::open_stream},
    {"/mcp", "DELETE", &HttpEndpoint::end_session},
    {"/mcp", "OPTIONS", &HttpEndpoint::preflight, {.open = true}},
    {"/healthz", "GET", &HttpEndpoint::tell_health, {.open = true}, true},
    {"/healthz", "HEAD", &HttpEndpoint::tell_health, {.open = true}, true},
    {"/readyz", "GET", &HttpEndpoint::tell_readiness, {.open = true}, true},
    {"/readyz", "HEAD", &HttpEndpoint::tell_readiness, {.open = true}, true},
    {"/metrics", "GET", &HttpEndpoint::tell_metrics, {.entrance = Entrance::metrics}},
    // Behind it may come the path of the resource, whatever that is to those outside.
    {kMetadata, "GET", &HttpEndpoint::tell_metadata, {.open = true}, false, true},
    {kMetadata, "OPTIONS", &HttpEndpoint::preflight, {.open = true}, false, true},
};

void HttpEndpoint::take(const ConnectionPtr& connection) const {
    const auto& request = connection->request();
    const auto found = std::ranges::find_if(kRoutes, [&](const Route& route) {
        return route.method == request.method && route.has(request.path);
    });
    const bool is_found = found != std::end(kRoutes);
    const auto refused = parts_.gate.refusal(request);
    // A token may have been revoked: requests without a valid one do not keep a connection.
    if (refused || !is_found || found->rule.open) connection->let_out();
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
        if (!connection->request().principal && !admission_.admit(route.rule, connection)) return;
        // An open route has no use for a body, and its sender is not known.
        if (!connection->is_whole() && !route.rule.open) return connection->read_body();
        const auto principal = *connection->request().principal;
        (this->*route.handle)(connection, principal);
    };
    // An issuer may have to be asked for its keys, and a tool may take its time.
    parts_.run(std::ref(answer));  // a reference is not copied
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
    const auto id = request.header(Header::mcp_session_id);
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
    connection->when_gone(reply);
    // Of its own: once this one is answered, the connection reads the next.
    const std::string body = std::move(request.body);
    parts_.server.handle(session, body, reply, &headers);
}

void HttpEndpoint::open_stream(const ConnectionPtr& connection, const Principal& principal) const {
    const auto& request = connection->request();
    const auto id = request.header(Header::mcp_session_id);
    if (!id) {
        HttpResponse response{405, kText,
                              "A stream belongs to a session (Mcp-Session-Id); without one, POST "
                              "subscriptions/listen.\n"};
        response.headers = {{"Allow", "POST"}};
        return connection->respond(std::move(response));
    }
    if (!accepts(request.header(Header::accept).value_or(""), kEvents))
        return connection->respond(not_acceptable(406, "Accept must list text/event-stream"));
    const auto known = parts_.sessions.find(*id, principal);
    if (!known) return connection->respond(no_such_session());
    auto stream = known->standalone();
    std::optional<std::uint64_t> seen;
    if (const auto last = request.header(Header::last_event_id)) {
        const auto named = read_event_id(*last);
        stream = named ? known->find_stream(named->first) : nullptr;
        if (!stream)
            return connection->respond(not_acceptable(
                404, "Last-Event-ID does not match a stream of this session that is still kept"));
        seen = named->second;
    }
    auto head = stream_head();
    for (auto& header : for_browsers(request)) head.headers.push_back(std::move(header));
    connection->when_gone(std::make_shared<StreamWatcher>(stream, *connection));
    connection->begin_stream(std::move(head));
    if (seen)
        stream->attach(connection, *seen, known->primes());
    else
        stream->attach_unsent(connection, known->primes());
}

void HttpEndpoint::end_session(const ConnectionPtr& connection, const Principal& principal) const {
    const auto id = connection->request().header(Header::mcp_session_id);
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
