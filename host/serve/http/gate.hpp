// The host names that a request may use. A web page can make a browser send requests to this
// machine under the page's own name (DNS rebinding); Host or Origin reveal that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/serve/http/message.hpp"

namespace toolhost::serve {

class HttpGate {
public:
    // `hosts`: names beside those of this machine's loopback, without a port. `origins`: as
    // browsers send them, scheme://host[:port]; those of allowed hosts need not be named.
    HttpGate(std::vector<std::string> hosts, std::vector<std::string> origins);

    // With which status the request is refused, and why; nothing: it is not.
    struct Refusal {
        int status;
        std::string why;
    };
    [[nodiscard]] std::optional<Refusal> refusal(const HttpRequest& request) const;

private:
    [[nodiscard]] bool knows_host(std::string_view authority) const;

    std::vector<std::string> hosts_, origins_;
};

// "example.org:8080" -> "example.org", "[::1]:80" -> "::1"; letters in any case.
[[nodiscard]] std::string_view host_of(std::string_view authority);

}  // namespace toolhost::serve
