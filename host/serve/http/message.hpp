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
    // Names in lower case, and only those that are used; each at most once.
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

// Headers that repeat an argument of a tool.
inline constexpr std::string_view kParamHeaders = "mcp-param-";

struct HttpResponse {
    int status = 200;
    std::string_view type{};  // Content-Type; empty: no body
    std::string body{};
    std::vector<std::pair<std::string_view, std::string>> headers{};
    bool close = false;  // the connection is not used again
};

}  // namespace toolhost::serve
