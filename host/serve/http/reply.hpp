// The answer to one message that came by HTTP: a JSON document, or a stream of events once there is
// something to say before it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/serve/http/sessions.hpp"
#include "host/serve/message_sink.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {

class HttpReply : public MessageSink, public HttpConnection::Watcher {
public:
    // `known`: the session the request named; null: it named none, and `session` is new.
    HttpReply(ConnectionPtr connection, std::shared_ptr<Session> session, HttpSessionPtr known,
              HttpSessions& sessions, Server& server,
              std::vector<std::pair<std::string_view, std::string>> headers)
        : connection_(std::move(connection)),
          session_(std::move(session)),
          known_(std::move(known)),
          sessions_(sessions),
          server_(server),
          headers_(std::move(headers)) {}

    void begun(const std::shared_ptr<Request>& request) override;
    void send(std::string message) override;
    void finish(std::string message, int status) override;
    [[nodiscard]] bool reachable() const override;

    // The connection is closed, so further output is dropped.
    void gone() override;

private:
    void open_stream() REQUIRES(mutex_);
    [[nodiscard]] HttpResponse whole(std::string message, int status) REQUIRES(mutex_);
    [[nodiscard]] HttpResponse too_many_sessions() const REQUIRES(mutex_);

    const ConnectionPtr connection_;
    const std::shared_ptr<Session> session_;
    const HttpSessionPtr known_;
    HttpSessions& sessions_;
    Server& server_;
    std::vector<std::pair<std::string_view, std::string>> headers_;
    mutable Mutex mutex_;
    bool streaming_ GUARDED_BY(mutex_) = false, gone_ GUARDED_BY(mutex_) = false,
                    finished_ GUARDED_BY(mutex_) = false;
    std::shared_ptr<EventStream> events_
        GUARDED_BY(mutex_);  // of a session's stream: it outlives the connection
    // One, or those of a batch.
    boost::container::small_vector<std::weak_ptr<Request>, 1> exchanges_ GUARDED_BY(mutex_);
};

// What the response to a stream begins with.
[[nodiscard]] HttpResponse stream_head();

}  // namespace toolhost::serve
