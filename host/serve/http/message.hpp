// An HTTP request as it came, and a response as it goes, without the library that reads them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/serve/principal.hpp"

namespace toolhost::serve {

struct HttpRequest {
    std::string method, path;  // the path without its query
    // Names in lower case, and only those that are used (kHeadersRead).
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::optional<Principal> principal{};  // once the door has let it in

    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
        for (const auto& [key, value] : headers)
            if (key == name) return value;
        return std::nullopt;
    }
    void clear() {
        method.clear(), path.clear(), headers.clear(), principal.reset();
        std::string().swap(body);  // which may have been large
    }
};

// A name that stands twice is refused if it is one of these: two readers could take another one
// each.
inline constexpr std::string_view kHeadersRead[] = {"host",
                                                    "origin",
                                                    "authorization",
                                                    "accept",
                                                    "content-type",
                                                    "mcp-session-id",
                                                    "last-event-id",
                                                    "mcp-method",
                                                    "mcp-name",
                                                    "mcp-protocol-version",
                                                    "access-control-request-method"};
inline constexpr std::string_view kParamHeaders = "mcp-param-";  // these too

struct HttpResponse {
    int status = 200;
    std::string_view type{};  // Content-Type; empty: no body
    std::string body{};
    std::vector<std::pair<std::string_view, std::string>> headers{};
    bool close = false;  // the connection is not used again
};

}  // namespace toolhost::serve
