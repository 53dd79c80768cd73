#include "host/serve/methods.hpp"

#include "host/registry/offers.hpp"

namespace toolhost::serve {
namespace {

constexpr Method kMethods[] = {
    {.name = "tools/call", .handle = call_tool, .calls = true, .named_by = "name"},
    {.name = "tools/list", .handle = list_tools},
    {.name = "resources/list", .handle = list_resources},
    {.name = "resources/templates/list", .handle = list_resource_templates},
    {.name = registry::kReadResource, .handle = read_resource, .calls = true, .named_by = "uri"},
    {.name = "prompts/list", .handle = list_prompts},
    {.name = registry::kGetPrompt, .handle = get_prompt, .calls = true, .named_by = "name"},
    {.name = registry::kComplete, .handle = complete, .calls = true},
    {.name = "initialize", .handle = initialize, .before_session = true, .until = kNewestSession},
    {.name = "ping", .handle = ping, .before_session = true, .until = kNewestSession},
    {.name = "logging/setLevel", .handle = set_log_level, .until = kNewestSession},
    {.name = "resources/subscribe", .handle = subscribe, .until = kNewestSession},
    {.name = "resources/unsubscribe", .handle = unsubscribe, .until = kNewestSession},
    {.name = "server/discover", .handle = discover, .since = Revision::r2026_07_28},
    {.name = "subscriptions/listen", .handle = listen, .since = Revision::r2026_07_28},
};

}  // namespace

std::span<const Method> method_table() {
    return kMethods;
}

const Method* find_method(std::string_view name, Revision revision) {
    for (const auto& method : kMethods)
        if (method.name == name && method.since <= revision && revision <= method.until)
            return &method;
    return nullptr;
}

}  // namespace toolhost::serve
