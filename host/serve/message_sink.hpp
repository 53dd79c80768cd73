// Where the messages of a request go: the lines of stdout, which are all requests' own, or the
// response of one HTTP request.
#pragma once

#include <memory>
#include <string>

namespace toolhost::serve {

class Request;

class MessageSink {
public:
    virtual ~MessageSink() = default;

    // The request whose messages come, for sinks that can tell when the client has left.
    virtual void begun(const std::shared_ptr<Request>&) {}

    // A notification or a request of ours that belongs to the request. From any thread, never after
    // the request's finish().
    virtual void send(std::string message) = 0;
    // Whether the client is still connected.
    [[nodiscard]] virtual bool reachable() const { return true; }
    // The last of it. `message` empty: the request has no answer (it was a notification, or it was
    // cancelled). `status` is HTTP's, for transports that have one.
    virtual void finish(std::string message, int status) = 0;
};

}  // namespace toolhost::serve
