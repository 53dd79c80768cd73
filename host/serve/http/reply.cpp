#include "host/serve/http/reply.hpp"

#include "host/serve/request.hpp"
#include "host/serve/rpc.hpp"

namespace toolhost::serve {
namespace {

constexpr int kTooManyRequests = 429, kUnavailable = 503;
// Seconds after which it is worth to ask again: another server is there, a session or a call has
// ended.
constexpr const char *kRestart = "10", *kSessionsEnd = "30", *kCallsEnd = "1";

}  // namespace

HttpResponse stream_head() {
    HttpResponse head{200, "text/event-stream"};
    // Proxies would hold events back until there are enough of them.
    head.headers = {{"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}};
    return head;
}

void HttpReply::begun(const std::shared_ptr<Request>& request) {
    {
        MutexLock lock(mutex_);
        exchanges_.push_back(request);
        if (!gone_) return;
    }
    request->cancel();
}

void HttpReply::open_stream() {
    streaming_ = true;
    auto head = stream_head();
    for (auto& header : headers_) head.headers.push_back(std::move(header));
    connection_->begin_stream(std::move(head));
    if (!known_) return;
    events_ = known_->new_stream();
    events_->attach(connection_, 0, known_->primes());
}

void HttpReply::send(std::string message) {
    MutexLock lock(mutex_);
    if (finished_ || (gone_ && !events_)) return;
    if (!streaming_) open_stream();
    if (events_)
        events_->push(message);
    else
        connection_->stream(event_text({}, message));
}

HttpResponse HttpReply::whole(std::string message, int status) {
    HttpResponse response{status, message.empty() ? "" : "application/json", std::move(message)};
    response.headers = std::move(headers_);
    // To the protocol a server that is full and one that ends are both busy; to HTTP they are not.
    if (status == kTooManyRequests) {
        if (server_.closing()) response.status = kUnavailable;
        response.headers.emplace_back("Retry-After", server_.closing() ? kRestart : kCallsEnd);
    }
    if (known_ || !session_->client()) return response;
    // It was an `initialize`, and it went well.
    const auto adopted = sessions_.adopt(
        session_, {server_.share_of(sessions_.most()),
                   {server_.usages().of(session_->principal()), server_.usages().all(),
                    server_.share_of(kAllKeptBytes), kAllKeptBytes}});
    if (!adopted) return too_many_sessions();
    response.headers.emplace_back("Mcp-Session-Id", adopted->id());
    return response;
}

HttpResponse HttpReply::too_many_sessions() const {
    session_->close();
    const auto request = exchanges_.empty() ? nullptr : exchanges_.front().lock();
    const RpcError error{
        rpc_code::kBusy,
        "too many sessions, in total or of this client: end one (DELETE), or try again later"};
    return {kUnavailable,
            "application/json",
            error_text(request ? request->id() : Json(), error),
            {{"Retry-After", kSessionsEnd}}};
}

void HttpReply::finish(std::string message, int status) {
    MutexLock lock(mutex_);
    if (std::exchange(finished_, true)) return;
    if (!streaming_) {
        if (!gone_) connection_->respond(whole(std::move(message), status));
        return;
    }
    if (!events_) {
        if (!message.empty()) connection_->stream(event_text({}, message));
        return connection_->end_stream();
    }
    if (!message.empty()) events_->push(message);
    events_->end();
}

bool HttpReply::reachable() const {
    MutexLock lock(mutex_);
    return events_ ? events_->attached() : !gone_;
}

void HttpReply::gone() {
    decltype(exchanges_) exchanges;
    {
        MutexLock lock(mutex_);
        gone_ = true;
        // A session's client may come back for a stream that had begun; else it is a cancel.
        if (events_) return events_->detach(connection_.get());
        exchanges = exchanges_;
    }
    for (const auto& one : exchanges)
        if (const auto request = one.lock()) request->cancel();
}

}  // namespace toolhost::serve
