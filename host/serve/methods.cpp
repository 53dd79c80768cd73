#include "host/serve/methods.hpp"

namespace toolhost::serve {
namespace {

constexpr Revision kFirst = Revision::r2024_11_05;

constexpr Method kMethods[] = {
    {"tools/call", call_tool, true},
    {"tools/list", list_tools},
    {"resources/list", list_resources},
    {"resources/templates/list", list_resource_templates},
    {"resources/read", read_resource, true},
    {"prompts/list", list_prompts},
    {"prompts/get", get_prompt, true},
    {"completion/complete", complete, true},
    {"initialize", initialize, false, kFirst, kNewestSession},
    {"ping", ping, false, kFirst, kNewestSession},
    {"logging/setLevel", set_log_level, false, kFirst, kNewestSession},
    {"resources/subscribe", subscribe, false, kFirst, kNewestSession},
    {"resources/unsubscribe", unsubscribe, false, kFirst, kNewestSession},
    {"server/discover", discover, false, Revision::r2026_07_28},
    {"subscriptions/listen", listen, false, Revision::r2026_07_28},
};

}  // namespace

const Method* find_method(std::string_view name, Revision revision) {
    for (const auto& method : kMethods)
        if (method.name == name && method.since <= revision && revision <= method.until)
            return &method;
    return nullptr;
}

}  // namespace toolhost::serve
