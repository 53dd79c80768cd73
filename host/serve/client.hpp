// What a client says of itself: once at `initialize`, or in the `_meta` of every request.
#pragma once

#include <optional>
#include <string>

#include "host/base/error.hpp"
#include "host/serve/revision.hpp"

namespace toolhost::serve {

// The levels of notifications/message, from the least severe.
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };
[[nodiscard]] std::optional<LogLevel> find_log_level(const Json& name);
[[nodiscard]] std::string_view name_of(LogLevel level);
// Of a level of tool_host.log.
[[nodiscard]] LogLevel log_level_of(int tool_level);

struct Client {
    Revision revision = kNewestSession;
    Json capabilities = Json::object();
    // Log messages at least this severe are sent; nothing: none are.
    std::optional<LogLevel> log_level{};

    // Elicitation here means forms: a client may have another kind only.
    [[nodiscard]] bool can(const char* capability) const {
        const auto it = capabilities.find(capability);
        if (it == capabilities.end()) return false;
        return std::string_view(capability) != "elicitation" || !it->is_object() || it->empty() ||
               it->contains("form");
    }
};

}  // namespace toolhost::serve
