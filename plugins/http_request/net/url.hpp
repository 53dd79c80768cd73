// URLs, read by the parser that also makes the request: what was checked is what is asked for.
#pragma once

#include <string>
#include <string_view>

#include "net/outcome.hpp"

namespace http_tool {

struct Url {
    std::string text;    // whole, normalised, without credentials and fragment
    std::string scheme;  // in lower case
    std::string host;    // in lower case, as the name servers are asked; no brackets, no final dot
    int port = 0;
    std::string path;
    bool has_credentials = false;  // user or password stood in it

    [[nodiscard]] bool same_origin(const Url& other) const {
        return scheme == other.scheme && host == other.host && port == other.port;
    }
    // Whether what was meant for `before` may go here too: to the same origin, or from a host's
    // http to its https, as servers send everybody. Never the other way.
    [[nodiscard]] bool keeps_trust_of(const Url& before) const {
        const bool upgraded = before.scheme == "http" && before.port == 80 && scheme == "https" &&
                              port == 443 && host == before.host;
        return upgraded || same_origin(before);
    }
};

[[nodiscard]] Outcome<Url> parse_url(const std::string& text);
// What a Location header means on a page.
[[nodiscard]] Outcome<Url> join_url(const Url& base, const std::string& location);

}  // namespace http_tool
