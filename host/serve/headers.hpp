// The headers of an HTTP request that repeat what its body says, so that those on the way need not
// read the body. Since 2026-07-28 they are required, and must agree with it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "host/serve/rpc.hpp"

namespace toolhost::serve {

struct MirroredHeaders {
    std::optional<std::string> version{};         // MCP-Protocol-Version
    std::optional<std::string> method{};          // Mcp-Method
    std::optional<std::string> name{};            // Mcp-Name
    std::map<std::string, std::string> params{};  // Mcp-Param-NAME, the name in lower case
};

// Of ASCII letters, which is what names of headers and hosts have.
[[nodiscard]] std::string lower_case(std::string_view text);

// The value a header stands for: itself, or what its =?base64?...?= holds. Nothing: it is neither.
[[nodiscard]] std::optional<std::string> decode_header(const std::string& value);

// Why they do not agree; nothing: they do. `named_by` is that of the request's method.
[[nodiscard]] std::optional<RpcError> check_headers(const MirroredHeaders& headers,
                                                    const Message& request, const char* named_by);
// The same for the arguments of a tool whose inputSchema asks for headers by x-mcp-header.
[[nodiscard]] std::optional<RpcError> check_param_headers(const MirroredHeaders& headers,
                                                          const Json& input_schema,
                                                          const Json& arguments);

}  // namespace toolhost::serve
