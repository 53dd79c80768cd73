// One request in flight: the message, its client, where its messages go, and its one response.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>

#include "host/call/view.hpp"
#include "host/serve/headers.hpp"
#include "host/serve/result_text.hpp"
#include "host/serve/rpc.hpp"
#include "host/serve/session.hpp"

namespace toolhost::serve {

class Server;
struct Method;

class Request : public std::enable_shared_from_this<Request> {
public:
    struct About {
        Message message;
        std::shared_ptr<const Client> client;      // as it was when the request came
        const Method* method = nullptr;            // handles it
        const MirroredHeaders* headers = nullptr;  // while its method is handled
        bool in_time = true;  // its message was read before the server was closed
    };
    Request(Server& server, std::shared_ptr<Session> session, std::shared_ptr<MessageSink> sink,
            About about);
    ~Request();  // a missing response is sent as an internal error

    [[nodiscard]] Server& server() const { return server_; }
    [[nodiscard]] const std::shared_ptr<Session>& session() const { return session_; }
    [[nodiscard]] MessageSink& sink() const { return *sink_; }
    [[nodiscard]] const Json& id() const { return about_.message.id; }
    [[nodiscard]] const std::string& method() const { return about_.message.method; }
    [[nodiscard]] const Json& params() const { return about_.message.params; }
    [[nodiscard]] const Client& client() const { return *about_.client; }
    [[nodiscard]] const MirroredHeaders* headers() const { return about_.headers; }
    [[nodiscard]] bool in_time() const { return about_.in_time; }
    [[nodiscard]] bool stateless() const { return is_stateless(client().revision); }
    // The caller as tools see it: the session, or the principal of a request that stands for
    // itself. Of one without a principal nothing is known, and it is told apart from all others.
    [[nodiscard]] std::string caller() const;
    // What this client may see and call.
    [[nodiscard]] boost::system::result<std::shared_ptr<const call::View>, RpcError> view() const;
    // `arguments` of the parameters, absent = {}. A request that may be repeated with answers keeps
    // them, to be known again by them.
    [[nodiscard]] Json take_arguments();
    // A text of the parameters; empty: none.
    [[nodiscard]] std::string text_param(const char* name) const;

    // Has its method handled, on this thread.
    void run();

    // One of these ends it, from any thread; later ones are ignored.
    // `result` is an object; `type` is its resultType, whatever it says itself.
    void reply(Json result, std::string_view type = "complete");
    void reply(ResultText result);
    void fail(const RpcError& error);
    void cancel();  // the client's wish: no answer, and what runs is told to stop

    [[nodiscard]] ResultText begin_result() const;
    void notify(std::string_view method, const Json& params);
    [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
    [[nodiscard]] bool ended() const { return ended_; }

private:
    void end(std::string message, int status);

    Server& server_;
    const std::shared_ptr<Session> session_;
    const std::shared_ptr<MessageSink> sink_;
    About about_;
    std::stop_source stop_;
    std::atomic<bool> ended_{false};
};

// What HTTP says of an error.
[[nodiscard]] int http_status(const RpcError& error);

using RequestPtr = std::shared_ptr<Request>;

}  // namespace toolhost::serve
