// URLs, parsed by the library that also connects, so that the checked URL is the requested one.
#pragma once

#include <string>
#include <string_view>

#include "net/outcome.hpp"

namespace http_tool {

struct Url {
    std::string text;    // complete, normalized, without credentials and fragment
    std::string scheme;  // in lower case
    std::string host;    // in lower case, in DNS form; no brackets, no final dot
    int port = 0;
    std::string path;
    bool has_credentials = false;  // user or password were given

    [[nodiscard]] bool same_origin(const Url& other) const {
        return scheme == other.scheme && host == other.host && port == other.port;
    }
    // Whether data for `before` may be sent here too: to the same origin, or from http to https on
    // the same host, which is a common redirect. Never from https to http.
    [[nodiscard]] bool may_receive_data_for(const Url& before) const {
        const bool upgraded = before.scheme == "http" && before.port == 80 && scheme == "https" &&
                              port == 443 && host == before.host;
        return upgraded || same_origin(before);
    }
};

[[nodiscard]] Outcome<Url> parse_url(const std::string& text);
// Resolves a Location header.
[[nodiscard]] Outcome<Url> join_url(const Url& base, const std::string& location);

}  // namespace http_tool
