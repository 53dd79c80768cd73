// What is served over HTTP, and to whom: a table of paths and methods.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/serve/http/admission.hpp"
#include "host/serve/http/gate.hpp"
#include "host/serve/http/sessions.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {

class HttpEndpoint {
public:
    struct Parts {
        Server& server;
        HttpSessions& sessions;
        HttpGate gate;
        const HttpLimits& limits;
        std::shared_ptr<Authenticator> authenticator;  // null: no authentication
        std::function<std::string()> metrics;          // the page of /metrics
        // Does what may take long, here and now, and sees to it that others listen meanwhile.
        std::function<void(const std::function<void()>&)> run;
    };
    explicit HttpEndpoint(Parts parts) : parts_(std::move(parts)) {}

    // Returns when the request is done with, or is with others. A request whose body is still to
    // come is judged by its headers, and its body read only if it is let in.
    void take(const ConnectionPtr& connection) const;

private:
    struct Route;
    using Handler = void (HttpEndpoint::*)(const ConnectionPtr&, const Principal&) const;
    static const Route kRoutes[];

    void handle(const Route& route, const ConnectionPtr& connection) const;
    void post_message(const ConnectionPtr& connection, const Principal& principal) const;
    void open_stream(const ConnectionPtr& connection, const Principal& principal) const;
    void end_session(const ConnectionPtr& connection, const Principal& principal) const;
    void tell_health(const ConnectionPtr& connection, const Principal& principal) const;
    void tell_readiness(const ConnectionPtr& connection, const Principal& principal) const;
    void tell_metrics(const ConnectionPtr& connection, const Principal& principal) const;
    void tell_metadata(const ConnectionPtr& connection, const Principal& principal) const;
    void preflight(const ConnectionPtr& connection, const Principal& principal) const;

    const Parts parts_;
    const HttpAdmission admission_{parts_.server, parts_.limits, parts_.authenticator};
};

}  // namespace toolhost::serve
