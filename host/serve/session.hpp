// What is remembered of a client between its messages: who it is, what it said of itself, its
// requests in flight, and our questions to it. Stdio has one for the life of the process, HTTP one
// for each Mcp-Session-Id; a request that stands for itself has one of its own.
#pragma once

#include <atomic>
#include <boost/container/flat_map.hpp>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>

#include "host/base/mutex.hpp"
#include "host/serve/client.hpp"
#include "host/serve/message_sink.hpp"
#include "host/serve/principal.hpp"

namespace toolhost::call {
class Invoker;
}

namespace toolhost::serve {

class Request;

// The invoker of a profile; the empty name is the host's own. It lives as long as the server and
// follows changes of its profile.
using InvokerOf = std::function<Result<call::Invoker*>(const std::string& profile)>;

class Session {
public:
    // `caller` is its identity to tools; empty: there is only this client.
    explicit Session(Principal principal, std::string caller = {})
        : principal_(std::move(principal)), caller_(std::move(caller)) {}
    ~Session();

    [[nodiscard]] const Principal& principal() const { return principal_; }
    [[nodiscard]] const std::string& caller() const { return caller_; }

    // That of its principal's profile: looked up at the first use and kept.
    [[nodiscard]] Result<call::Invoker*> invoker(const InvokerOf& find);

    // What `initialize` said; null before it.
    [[nodiscard]] std::shared_ptr<const Client> client() const;
    // False if it was initialized before.
    [[nodiscard]] bool initialize(Client client);
    void set_log_level(LogLevel level);

    // Requests in flight, by id. False: there is one of this id.
    [[nodiscard]] bool enter(const std::shared_ptr<Request>& request);
    void leave(const Request& request);
    [[nodiscard]] bool busy() const;  // whether there are any
    // The client no longer wants the answer.
    void cancel(const Json& id);

    // Asks the client through `sink` and waits. Nothing: `stop`, the time is over, or the session
    // was closed.
    struct Reply {
        Json result{}, error{};
    };
    [[nodiscard]] std::optional<Reply> ask(MessageSink& sink, std::string_view method,
                                           const Json& params, const std::stop_token& stop);
    void take_response(const Json& id, Reply reply);

    // Messages that belong to no request go here; null: nowhere now.
    void set_standalone(std::shared_ptr<MessageSink> sink);
    void tell(const std::string& message);

    // What its human allowed for good, by call::ConsentQuestion::scope.
    [[nodiscard]] bool has_consent(std::string_view scope) const;
    void give_consent(std::string_view scope);

    void subscribe(const std::string& uri);
    void unsubscribe(const std::string& uri);
    [[nodiscard]] bool subscribed(const std::string& uri) const;
    [[nodiscard]] std::size_t subscriptions() const;

    // The client is gone: what runs for it is cancelled, and questions have no answer.
    void close();
    [[nodiscard]] bool closed() const { return closed_; }

private:
    struct Waiting;
    // Strings and whole numbers. nlohmann's own order takes a large unsigned one for a negative
    // one.
    struct ById {
        bool operator()(const Json& a, const Json& b) const;
    };
    // Few at a time: a tree would make a node for each.
    using InFlight = boost::container::flat_map<Json, std::shared_ptr<Request>, ById>;
    const Principal principal_;
    const std::string caller_;
    mutable Mutex mutex_;
    std::condition_variable_any answered_;
    std::shared_ptr<const Client> client_ GUARDED_BY(mutex_);
    InFlight in_flight_ GUARDED_BY(mutex_);
    std::map<std::string, Waiting*> questions_ GUARDED_BY(mutex_);
    std::uint64_t asked_ GUARDED_BY(mutex_) = 0;
    std::set<std::string> subscriptions_ GUARDED_BY(mutex_);
    std::set<std::string, std::less<>> consents_ GUARDED_BY(mutex_);
    std::shared_ptr<MessageSink> standalone_ GUARDED_BY(mutex_);
    std::atomic<call::Invoker*> invoker_{nullptr};
    std::atomic<bool> closed_{false};
};

}  // namespace toolhost::serve
