// What libraries offer beside tools, as a client may see it. Every one is answered for by a hidden
// tool (registry/offers.hpp); whose hidden tool a client may not call, offers it nothing.
#pragma once

#include <string>
#include <string_view>

#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/registry/offers.hpp"
#include "host/serve/rpc.hpp"

namespace toolhost::serve {

// All of one kind, as an array. Of two that are named alike, the first.
[[nodiscard]] Json all_offered(const call::View& view, std::string_view kind);

struct Offered {
    const registry::Tool* by = nullptr;  // the hidden tool; null: not offered
    const Json* entry = nullptr;         // as the spec has it
};
// The resource of that uri, or the template that it fits.
[[nodiscard]] Offered find_resource(const call::View& view, const std::string& uri);
[[nodiscard]] Offered find_prompt(const call::View& view, const std::string& name);

// The tool that completes the arguments of a prompt or resource template; null: not found.
[[nodiscard]] const registry::Tool* find_completer(const call::View& view, const Json& ref);

// The error of a hidden tool's call as the request's.
[[nodiscard]] RpcError offer_error(const Error& error);
[[nodiscard]] bool says_not_found(const call::ToolResult& result);

// Whether a uri is one of a template's, such as file:///{path}.
[[nodiscard]] bool fits_template(std::string_view uri, std::string_view uri_template);

}  // namespace toolhost::serve
