// An HTTP request as it came, and a response as it goes, without the library that reads them.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/serve/principal.hpp"

namespace toolhost::serve {

// The headers that are used.
enum class Header {
    host,
    origin,
    authorization,
    accept,
    content_type,
    access_control_request_method,
    mcp_session_id,
    last_event_id,
    mcp_method,
    mcp_name,
    mcp_protocol_version,
};
// Their names, in the order of the enumeration.
inline constexpr std::array<std::string_view, 11> kHeaderNames = {"host",
                                                                  "origin",
                                                                  "authorization",
                                                                  "accept",
                                                                  "content-type",
                                                                  "access-control-request-method",
                                                                  "mcp-session-id",
                                                                  "last-event-id",
                                                                  "mcp-method",
                                                                  "mcp-name",
                                                                  "mcp-protocol-version"};
// Headers that repeat an argument of a tool.
inline constexpr std::string_view kParamHeaders = "mcp-param-";

struct HttpRequest {
    std::string method{}, path{};  // the path without its query
    std::string body{};
    // Of Mcp-Param-NAME, by the name in lower case.
    std::vector<std::pair<std::string, std::string>> params{};
    std::optional<Principal> principal{};  // once the door has let it in

    [[nodiscard]] std::optional<std::string_view> header(Header header) const {
        const auto index = static_cast<std::size_t>(header);
        return there_[index] ? std::optional<std::string_view>(values_[index]) : std::nullopt;
    }
    // False: it is there already.
    [[nodiscard]] bool add(Header header, std::string_view value) {
        const auto index = static_cast<std::size_t>(header);
        if (there_[index]) return false;
        there_.set(index);
        values_[index] = value;
        return true;
    }
    // The memory of short headers is kept for the next request.
    void clear() {
        method.clear(), path.clear(), params.clear(), principal.reset(), there_.reset();
        for (auto& value : values_)
            if (value.capacity() > kKeptBytes) std::string().swap(value);
        std::string().swap(body);  // which may have been large
    }

private:
    static constexpr std::size_t kKeptBytes = 256;

    std::array<std::string, kHeaderNames.size()> values_{};
    std::bitset<kHeaderNames.size()> there_{};
};

struct HttpResponse {
    int status = 200;
    std::string_view type{};  // Content-Type; empty: no body
    std::string body{};
    std::vector<std::pair<std::string_view, std::string>> headers{};
    bool close = false;  // the connection is not used again
};

}  // namespace toolhost::serve
