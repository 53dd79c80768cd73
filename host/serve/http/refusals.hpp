// Answers that an endpoint itself gives: refusals, and the headers that pages in browsers need.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/serve/http/message.hpp"
#include "host/serve/rpc.hpp"

namespace toolhost::serve {

inline constexpr const char* kText = "text/plain; charset=utf-8";
inline constexpr const char* kJson = "application/json";
inline constexpr const char* kEvents = "text/event-stream";

// An error that belongs to no request of the protocol's, as the protocol words it.
inline HttpResponse refusal(int status, int code, std::string message, Json data = {}) {
    return {status, kJson, error_text({}, {code, std::move(message), std::move(data)})};
}

inline HttpResponse not_acceptable(int status, std::string message) {
    return refusal(status, rpc_code::kInvalidRequest, std::move(message));
}

// For pages in browsers, whose origin the gate has let through.
inline std::vector<std::pair<std::string_view, std::string>> for_browsers(
    const HttpRequest& request) {
    const auto origin = request.header(Header::origin);
    if (!origin) return {};
    return {{"Access-Control-Allow-Origin", std::string(*origin)},
            {"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate"},
            {"Vary", "Origin"}};
}

inline HttpResponse for_browsers(const HttpRequest& request, HttpResponse response) {
    for (auto& header : for_browsers(request)) response.headers.push_back(std::move(header));
    return response;
}

}  // namespace toolhost::serve
