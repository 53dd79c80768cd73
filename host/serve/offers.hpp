// What libraries offer beside tools, as a client may see it.
#pragma once

#include <string>
#include <utility>

#include "host/call/tool_use.hpp"
#include "host/call/view.hpp"
#include "host/serve/exchange.hpp"

// TEMPORARY
namespace toolhost::registry {
struct Offers {
    std::string family;
    Json resources, resource_templates, prompts;
};
}  // namespace toolhost::registry

namespace toolhost::serve {

// All of one kind, as an array.
[[nodiscard]] Json offered(const call::View& view, Json registry::Offers::*kind);

// Who has it; null: nobody that this client may call.
[[nodiscard]] const registry::Offers* find_resource(const call::View& view, const std::string& uri);
[[nodiscard]] std::pair<const registry::Offers*, const Json*> find_prompt(const call::View& view,
                                                                          const std::string& name);
// The prompt or resource template that completion is asked for.
[[nodiscard]] const registry::Offers* find_completed(const call::View& view, const Json& ref);

// The reference of the hidden tool that answers for them.
[[nodiscard]] std::string handler_reference(const registry::Offers& offers, std::string_view what);

// The answer in a handler's result, which has `key`; null: it is none.
[[nodiscard]] const Json* offered_answer(const call::ToolResult& result, const char* key);
// Ends the request with it, or with the error.
void reply_offered(Exchange& exchange, const call::ToolResult& result, const char* key);
[[nodiscard]] bool says_not_found(const call::ToolResult& result);

// Whether a uri is one of a template's, such as file:///{path}.
[[nodiscard]] bool fits_template(std::string_view uri, std::string_view uri_template);

}  // namespace toolhost::serve
