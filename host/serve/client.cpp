#include "host/serve/client.hpp"

#include <algorithm>
#include <array>

#include "toolhost/plugin.h"

namespace toolhost::serve {
namespace {

constexpr std::array<std::string_view, 8> kLevelNames = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

}  // namespace

std::optional<LogLevel> find_log_level(const Json& name) {
    if (!name.is_string()) return std::nullopt;
    const auto it =
        std::find(kLevelNames.begin(), kLevelNames.end(), name.get_ref<const std::string&>());
    if (it == kLevelNames.end()) return std::nullopt;
    return static_cast<LogLevel>(it - kLevelNames.begin());
}

std::string_view name_of(LogLevel level) {
    return kLevelNames[static_cast<std::size_t>(level)];
}

LogLevel log_level_of(int tool_level) {
    if (tool_level <= TOOL_LOG_DEBUG) return LogLevel::debug;
    if (tool_level == TOOL_LOG_INFO) return LogLevel::info;
    return tool_level == TOOL_LOG_WARN ? LogLevel::warning : LogLevel::error;
}

}  // namespace toolhost::serve
