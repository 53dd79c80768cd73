// Who may send a request over HTTP.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "host/serve/auth/authenticator.hpp"
#include "host/serve/http/connection.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {

// What a path and method require of a request.
struct AdmissionRule {
    bool open = false;  // needs no token
    Entrance entrance = Entrance::agents;
    std::optional<HttpResponse> (*fault)(const HttpRequest&) = nullptr;  // of the headers
};

class HttpAdmission {
public:
    // `authenticator` null: no authentication.
    HttpAdmission(Server& server, const HttpLimits& limits,
                  std::shared_ptr<Authenticator> authenticator)
        : server_(server), limits_(limits), authenticator_(std::move(authenticator)) {}

    // Judges the current request by its headers alone, so that a body is not sent in vain, and
    // notes its principal. False: the request has been refused.
    [[nodiscard]] bool admit(const AdmissionRule& rule, const ConnectionPtr& connection) const;

private:
    Server& server_;
    const HttpLimits& limits_;
    const std::shared_ptr<Authenticator> authenticator_;
};

}  // namespace toolhost::serve
