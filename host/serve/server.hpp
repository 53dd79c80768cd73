// The protocol, independent of the transport: one message in, responses to a sink.
#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/base/mutex.hpp"
#include "host/call/invoker.hpp"
#include "host/runtime/posted_calls.hpp"
#include "host/serve/callers.hpp"
#include "host/serve/headers.hpp"
#include "host/serve/listeners.hpp"
#include "host/serve/request.hpp"
#include "host/serve/request_state.hpp"
#include "host/serve/session.hpp"
#include "host/serve/usage.hpp"

namespace toolhost::serve {

// Requests that call a tool and are yet to run: one, or several of a batch.
using PendingRequests = boost::container::small_vector<std::shared_ptr<Request>, 1>;

struct ServerOptions {
    std::string version;  // of toolhost
    InvokerOf invoker;
    // A tool's documentation as Markdown, which is offered as a resource.
    std::function<std::string(const registry::ToolSpec& spec)> page;
    // A caller's session has ended: what tools keep for it can go. From any thread.
    std::function<void(const std::string& caller)> caller_gone;
    std::size_t calls_at_once = 256;
    std::size_t streams_at_once = 4096;  // of subscriptions/listen
    // How much of each limit one principal may have where several may come in.
    std::size_t share_percent = 50;
    std::function<bool()> has_several_principals{};  // null: there is one
    std::size_t page_size = 100;                     // of lists
    runtime::PostedCalls* posted = nullptr;          // by the invokers; null: none are
    bool plain_schemas = false;  // tools/list gives inputSchemas as schema::plain() writes them
};

class Server {
public:
    explicit Server(ServerOptions options);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Who has read a message and is about to have it handled, or has it handled now. A call of a
    // message that was read before close() is still taken, however late its thread gets there.
    class Visit {
    public:
        explicit Visit(Server& server);
        ~Visit();
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        // Whether its message was read before close().
        [[nodiscard]] bool in_time() const { return in_time_; }

    private:
        Server& server_;
        bool in_time_;
    };

    // Takes one message, or a batch where the session's revision has them, as it came. Returns the
    // requests that call a tool, which the caller runs; all others have been handled. Who has
    // several messages of one session receives them in order, since what one says (initialize, a
    // request that is cancelled next) holds for those after it. `headers` are those of an HTTP
    // request that must agree with its body.
    [[nodiscard]] PendingRequests receive(const Visit& visit,
                                          const std::shared_ptr<Session>& session,
                                          std::string_view text,
                                          const std::shared_ptr<MessageSink>& sink,
                                          const MirroredHeaders* headers = nullptr);
    // The same and its calls, on this thread.
    void handle(const std::shared_ptr<Session>& session, std::string_view text,
                const std::shared_ptr<MessageSink>& sink,
                const MirroredHeaders* headers = nullptr) {
        const Visit visit(*this);
        for (const auto& request : receive(visit, session, text, sink, headers)) request->run();
    }

    // One of several clients. What stands for itself has a session for as long as it runs.
    [[nodiscard]] std::shared_ptr<Session> open_session(const Principal& principal) const;
    [[nodiscard]] const Callers& callers() const { return callers_; }

    [[nodiscard]] const ServerOptions& options() const { return options_; }
    [[nodiscard]] Listeners& listeners() { return listeners_; }
    [[nodiscard]] RequestState& request_state() { return request_state_; }
    // {"name", "version", ...} as clients are told.
    [[nodiscard]] const Json& server_info() const { return server_info_; }

    // Reserves a place among the running calls; a text: why there is no free place. `in_time`: the
    // message of the call was read before close().
    [[nodiscard]] std::optional<std::string> enter_call(Usage& usage, bool in_time);
    void leave_call(Usage& usage);
    [[nodiscard]] std::size_t calls() const { return calls_; }

    [[nodiscard]] Usages& usages() { return usages_; }
    // How much of a limit of the whole server one principal may have, at least one.
    [[nodiscard]] std::size_t share_of(std::size_t limit) const;

    // No new calls from now on.
    void close() { closing_ = true; }
    [[nodiscard]] bool closing() const { return closing_; }
    // Whether all calls ended before the time was over, those that are about to begin included.
    [[nodiscard]] bool await_calls(std::chrono::milliseconds timeout);
    // Drops messages from now on. Returns whether no thread is in here.
    [[nodiscard]] bool shut(std::chrono::milliseconds timeout);

private:
    void leave(std::atomic<std::size_t>& count);
    // Where a message came from.
    struct Origin {
        const std::shared_ptr<Session>& session;
        const std::shared_ptr<MessageSink>& sink;
        const MirroredHeaders* headers;
        bool in_time;  // as Visit has it
    };
    // Each adds to `pending` what calls a tool.
    void receive_text(const Origin& from, std::string_view text, PendingRequests& pending);
    void receive_one(const Origin& from, Json document, PendingRequests& pending);
    void receive_batch(const Origin& from, Json documents, PendingRequests& pending);
    void take_message(const Origin& from, Message&& message, PendingRequests& pending);
    void take_request(const Origin& from, Message&& message, PendingRequests& pending);
    void take_notification(Session& session, const Message& message);

    const ServerOptions options_;
    const Json server_info_;
    RequestState request_state_;
    const Callers callers_;
    Listeners listeners_{*this};
    Usages usages_;
    std::atomic<std::size_t> calls_{0}, visits_{0};  // calls that run, messages being handled
    std::atomic<bool> closing_{false}, shut_{false};
    Mutex mutex_;
    std::condition_variable left_;
};

}  // namespace toolhost::serve
