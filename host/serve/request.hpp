// One request in flight: the message, its client, where its messages go, and its one response. A
// request that calls a tool observes the call: what the plugin emits or asks goes to the client.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>

#include "host/base/mutex.hpp"
#include "host/call/call_observer.hpp"
#include "host/call/view.hpp"
#include "host/serve/headers.hpp"
#include "host/serve/result_text.hpp"
#include "host/serve/rpc.hpp"
#include "host/serve/session.hpp"
#include "host/serve/usage.hpp"

namespace toolhost::serve {

class Server;
struct InputRound;
struct Method;

class Request : public call::CallObserver, public std::enable_shared_from_this<Request> {
public:
    struct About {
        Message&& message;
        std::shared_ptr<const Client> client{};    // as it was when the request came
        const Method* method = nullptr;            // handles it
        const MirroredHeaders* headers = nullptr;  // while its method is handled
        bool in_time = true;  // its message was read before the server was closed
    };
    Request(Server& server, std::shared_ptr<Session> session, std::shared_ptr<MessageSink> sink,
            About&& about);
    ~Request() override;  // a missing response is sent as an internal error

    [[nodiscard]] Server& server() const { return server_; }
    [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }
    [[nodiscard]] MessageSink& sink() const { return *sink_; }
    [[nodiscard]] const Json& id() const { return id_; }
    [[nodiscard]] std::string_view method() const;
    [[nodiscard]] const Params& params() const { return params_; }
    [[nodiscard]] const Client& client() const { return *client_; }
    [[nodiscard]] const MirroredHeaders* headers() const { return headers_; }
    [[nodiscard]] bool stateless() const { return is_stateless(client().revision); }
    // The caller as tools see it: the session, or the principal of a request that stands for
    // itself. Of one without a principal nothing is known, and it is told apart from all others.
    [[nodiscard]] std::string caller() const;
    // What this client may see and call.
    [[nodiscard]] boost::system::result<std::shared_ptr<const call::View>, RpcError> view() const;
    // A call with `arguments` of the parameters, missing = {}. A request that may be repeated with
    // answers keeps them, to be known again by them.
    [[nodiscard]] call::ToolUse take_use(std::string reference);
    // A text of the parameters that Params does not have apart; empty: none.
    [[nodiscard]] std::string text_param(std::string_view name) const;

    // Has its method handled, on this thread.
    void run();
    // Ends the request with a call's result, errors included, but for those that a question to the
    // client took care of.
    using Render = void (*)(Request& request, const call::ToolResult& result);
    // Starts a call on this thread, or refuses the request. `use` says what is called with what;
    // the rest is the request's.
    void start_call(call::ToolUse&& use, Render render);

    // One of these ends it, from any thread; later ones are ignored.
    // `result` is an object; `type` is its resultType, whatever it says itself.
    void reply(Json result, std::string_view type = "complete");
    void reply(ResultText&& result);
    void fail(const RpcError& error);
    void cancel();  // the client's wish: no answer, and what runs is told to stop

    [[nodiscard]] ResultText begin_result() const;
    void notify(std::string_view method, const Json& params);
    [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
    [[nodiscard]] bool ended() const { return ended_; }

    // Of the call: request_call.cpp.
    void emit(std::string_view use_id, std::string_view kind, std::string_view json) override;
    void log(int level, std::string_view message) override;
    [[nodiscard]] std::optional<call::Answer> ask(const call::Question& question) override;
    [[nodiscard]] bool client_can(std::string_view kind) const override;
    [[nodiscard]] std::optional<call::ConsentAnswer> consent(
        const call::ConsentQuestion& question) override;
    // A client without a session cannot be asked now: it is asked by the result.
    [[nodiscard]] bool consent_later() const override { return stateless(); }
    void finished(call::ToolResult&& result) override;

private:
    void end(std::string message, int status);
    [[nodiscard]] boost::system::result<call::Invoker*, RpcError> admit(call::ToolUse& use);
    void tell(LogLevel level, Json data);
    void tell_progress(const Json& data);
    [[nodiscard]] std::optional<call::Answer> ask_session(const call::Question& question);

    Server& server_;
    const std::shared_ptr<Session> session_;
    const std::shared_ptr<MessageSink> sink_;
    const std::shared_ptr<const Client> client_;
    const Method* const method_;
    const MirroredHeaders* const headers_;
    const bool in_time_;
    const Json id_;
    Params params_;
    std::stop_source stop_;
    std::atomic<bool> ended_{false};

    // Of its call, if it makes one.
    Render render_ = nullptr;
    std::string logger_;                 // whose log messages these are, for the client
    UsagePtr usage_;                     // where its place among the calls is counted
    std::unique_ptr<InputRound> round_;  // of a request that stands for itself
    Mutex mutex_;
    double progress_ GUARDED_BY(mutex_) = -1;
};

// What HTTP says of an error.
[[nodiscard]] int http_status(const RpcError& error);

using RequestPtr = std::shared_ptr<Request>;

}  // namespace toolhost::serve
