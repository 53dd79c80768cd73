#include "host/serve/server.hpp"

#include <algorithm>
#include <chrono>

#include "host/base/json_text.hpp"
#include "host/serve/batch.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/request_id.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";

constexpr std::chrono::milliseconds kEntering{500};

// Of a batch: its answers are kept until all are there.
constexpr std::size_t kMaxMessages = 100;

// Whether a request is outside a session: explicitly, or because no session is possible.
bool stands_alone(const Message& request, const Client* client, const MirroredHeaders* headers) {
    if (request.params.meta.contains(kVersionKey)) return true;
    if (headers && headers->version) {
        const auto revision = find_revision(*headers->version);
        if (revision && is_stateless(*revision)) return true;
    }
    if (client) return false;
    const Method* method = find_method(request.method, kNewestSession);
    return !method || !method->before_session;
}

RpcError missing_meta(const char* key) {
    return {rpc_code::kInvalidParams, std::string("Invalid params: /_meta/") + key +
                                          " is missing. It is required in a request outside a "
                                          "session; \"initialize\" opens a session"};
}

RpcError unsupported(const Json& version) {
    return {rpc_code::kUnsupportedVersion,
            "Unsupported protocol version",
            {{"supported", {name_of(kNewest)}}, {"requested", version}}};
}

using Described = boost::system::result<std::shared_ptr<const Client>, RpcError>;

// What the `_meta` of a request that stands for itself says.
Described describe(const Message& request, const MirroredHeaders* headers) {
    const Json& meta = request.params.meta;
    const auto version = meta.find(kVersionKey);
    if (version == meta.end() || !version->is_string()) return missing_meta(kVersionKey);
    if (headers && !headers->version)
        return RpcError{rpc_code::kHeaderMismatch,
                        "Header mismatch: the MCP-Protocol-Version header is missing"};
    if (headers && *headers->version != version->get_ref<const std::string&>())
        return RpcError{rpc_code::kHeaderMismatch,
                        "Header mismatch: the MCP-Protocol-Version header says '" +
                            *headers->version + "', the body says '" + version->get<std::string>() +
                            "'"};
    const auto revision = find_revision(version->get_ref<const std::string&>());
    if (!revision || !is_stateless(*revision)) return unsupported(*version);
    const auto capabilities = meta.find(kCapabilitiesKey);
    if (capabilities == meta.end() || !capabilities->is_object())
        return missing_meta(kCapabilitiesKey);
    if (headers) {
        const Method* method = find_method(request.method, *revision);
        if (auto fault = check_headers(*headers, request, method ? method->named_by : nullptr))
            return *fault;
    }
    auto client = std::make_shared<Client>();
    client->revision = *revision;
    client->capabilities = *capabilities;
    if (const auto level = meta.find(kLogLevelKey); level != meta.end()) {
        client->log_level = find_log_level(*level);
        if (!client->log_level)
            return RpcError{rpc_code::kInvalidParams, std::string("Invalid params: /_meta/") +
                                                          kLogLevelKey +
                                                          " is not a level such as \"info\""};
    }
    return client;
}

// Null: it may be sent.
const char* batch_fault(const Client* client, const Json& documents) {
    const bool has_batches = client && (client->revision == Revision::r2024_11_05 ||
                                        client->revision == Revision::r2025_03_26);
    if (!has_batches) return "this revision does not support batches";
    if (documents.empty()) return "an empty batch";
    return documents.size() > kMaxMessages ? "a batch has at most 100 messages" : nullptr;
}

Json make_server_info(const std::string& version) {
    return {{"name", "toolhost"}, {"title", "toolhost"}, {"version", version}};
}

}  // namespace

Server::Server(ServerOptions options)
    : options_(std::move(options)), server_info_(make_server_info(options_.version)) {}

// The caller is gone with the last that holds its session: no call of it runs any more.
std::shared_ptr<Session> Server::open_session(const Principal& principal) const {
    return {new Session(principal, Callers::fresh()),
            [gone = options_.caller_gone](Session* ended) {
                const auto caller = ended->caller();
                delete ended;
                if (gone) gone(caller);
            }};
}

// Counted before the look: await_calls() looks at both the other way round.
Server::Visit::Visit(Server& server) : server_(server) {
    ++server.visits_;
    in_time_ = !server.closing_;
}

Server::Visit::~Visit() {
    server_.leave(server_.visits_);
}

PendingRequests Server::receive(const Visit& visit, const std::shared_ptr<Session>& session,
                                std::string_view text, const std::shared_ptr<MessageSink>& sink,
                                const MirroredHeaders* headers) {
    PendingRequests pending;
    receive_text({session, sink, headers, visit.in_time()}, text, pending);
    return pending;
}

void Server::receive_text(const Origin& from, std::string_view text, PendingRequests& pending) {
    const auto refuse = [&](const RpcError& error, int status) {
        from.sink->finish(error_text(find_request_id(text), error), status);
    };
    if (shut_) return from.sink->finish({}, 503);
    if (has_more_values(text, kMaxJsonValues))
        return refuse({rpc_code::kInvalidRequest,
                       "Invalid request: the message has more than 1000000 values"},
                      413);
    if (auto message = read_message_quickly(text))
        return take_message(from, *std::move(message), pending);
    auto document = parse_json(text);
    if (!document)
        return refuse({rpc_code::kParseError, "Parse error: " + document.error().message}, 400);
    if (!document->is_array()) return receive_one(from, *std::move(document), pending);
    if (const char* fault = batch_fault(from.session->client().get(), *document))
        return refuse({rpc_code::kInvalidRequest, std::string("Invalid request: ") + fault}, 400);
    receive_batch(from, *std::move(document), pending);
}

void Server::receive_batch(const Origin& from, Json documents, PendingRequests& pending) {
    const auto batch = std::make_shared<Batch>(from.sink, documents.size());
    for (auto& document : documents) {
        const std::shared_ptr<MessageSink> sink = std::make_shared<BatchSink>(batch);
        receive_one({from.session, sink, nullptr, from.in_time}, std::move(document), pending);
    }
}

void Server::receive_one(const Origin& from, Json document, PendingRequests& pending) {
    auto message = read_message(std::move(document));
    if (message) return take_message(from, *std::move(message), pending);
    const auto& [id, error] = message.error();
    from.sink->finish(error_text(id, error), 400);
}

void Server::take_message(const Origin& from, Message&& message, PendingRequests& pending) {
    switch (message.kind) {
        case Message::Kind::request:
            return take_request(from, std::move(message), pending);
        case Message::Kind::notification:
            take_notification(*from.session, message);
            break;
        case Message::Kind::response:
            from.session->take_response(message.id,
                                        {std::move(message.result), std::move(message.error)});
            break;
    }
    from.sink->finish({}, 202);
}

void Server::take_request(const Origin& from, Message&& message, PendingRequests& pending) {
    const auto& [session, sink, headers, in_time] = from;
    static const auto stranger = std::make_shared<const Client>();
    auto client = session->client();
    if (stands_alone(message, client.get(), headers)) {
        auto described = describe(message, headers);
        if (!described) {
            return sink->finish(error_text(message.id, described.error()),
                                http_status(described.error()));
        }
        client = *std::move(described);
    } else if (!client) {
        client = stranger;
    }
    const Method* method = find_method(message.method, client->revision);
    if (!method) {
        const RpcError error{rpc_code::kMethodNotFound, "Method not found: " + message.method};
        return sink->finish(error_text(message.id, error),
                            is_stateless(client->revision) ? http_status(error) : 200);
    }
    auto request = std::make_shared<Request>(
        *this, session, sink,
        Request::About{std::move(message), std::move(client), method, headers, in_time});
    if (!session->enter(request))
        return request->fail({rpc_code::kInvalidRequest,
                              "Invalid request: a request with this id is still running"});
    sink->begun(request);
    if (!method->calls) return request->run();
    pending.push_back(std::move(request));
}

void Server::take_notification(Session& session, const Message& message) {
    // Others tell of changes that nothing here depends on.
    if (message.method != "notifications/cancelled") return;
    session.cancel(message.params.other("requestId"));
}

std::optional<std::string> Server::enter_call(Usage& usage, bool in_time) {
    if (closing_ && !in_time) return "the server is shutting down";
    const auto most = options_.calls_at_once, share = share_of(most);
    if (!take_one(usage.calls, share))
        return "too many concurrent calls of this client (" + std::to_string(share) +
               "): try again later";
    if (take_one(calls_, most)) return std::nullopt;
    --usage.calls;
    return "too many concurrent calls (" + std::to_string(most) + "): try again later";
}

void Server::leave_call(Usage& usage) {
    --usage.calls;
    leave(calls_);
}

std::size_t Server::share_of(std::size_t limit) const {
    if (!options_.has_several_principals || !options_.has_several_principals()) return limit;
    // Rounded up, without the product of large numbers.
    const auto percent = options_.share_percent;
    return std::max<std::size_t>(1, limit / 100 * percent + (limit % 100 * percent + 99) / 100);
}

void Server::leave(std::atomic<std::size_t>& count) {
    if (count.fetch_sub(1) != 1 || !closing_) return;
    { MutexLock lock(mutex_); }
    left_.notify_all();
}

bool Server::await_calls(std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    MutexLock lock(mutex_);
    // Who has read a message may be about to enter a call. Not for long: it may as well wait for a
    // client that does not read.
    left_.wait_for(lock.native(), std::min(timeout, kEntering), [&] { return visits_ == 0; });
    return left_.wait_until(lock.native(), end, [&] { return calls_ == 0; });
}

bool Server::shut(std::chrono::milliseconds timeout) {
    shut_ = true;
    MutexLock lock(mutex_);
    return left_.wait_for(lock.native(), timeout, [&] { return visits_ == 0; });
}

}  // namespace toolhost::serve
