// Where plugin code runs. The interface says nothing of processes, so that a call does not know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "host/registry/catalogue.hpp"
#include "toolhost/plugin.h"

namespace toolhost::runtime {

// One invocation, as the plugin gets it.
struct Invocation {
    std::string_view tool;
    std::string_view use_id;
    std::string_view input;   // JSON
    std::string_view policy;  // JSON
    std::string_view state;   // JSON
    std::uint32_t attempt = 0;
    std::int64_t budget_ms = -1;
};

// What a plugin may ask of the host while it runs. emit, cancelled and log come from any thread.
class CallHost {
public:
    virtual ~CallHost() = default;
    virtual void emit(std::string_view kind, std::string_view json) = 0;
    [[nodiscard]] virtual bool cancelled() const = 0;
    virtual void log(int level, std::string_view message) = 0;
    // The nested call's ToolResult as JSON text, and whether it succeeded.
    virtual std::pair<bool, std::string> call_tool(std::string_view reference,
                                                   std::string_view input) = 0;
    // The human's answer as JSON text; nothing if nobody can be asked now.
    virtual std::optional<std::string> interrupt(std::string_view name,
                                                 std::string_view reason_json) = 0;
};

// What the plugin left behind: facts, not yet judged. An enforcer of the rules reads it in `call`.
struct Outcome {
    struct Text {
        std::string key;  // fail's code or deny's reason
        std::string message;
    };
    tool_status status = TOOL_OK;
    int replies = 0;
    std::string content;  // of the first reply
    std::optional<Text> failure;
    std::optional<Text> denial;
};

class Runtime {
public:
    virtual ~Runtime() = default;
    // Runs one call. An error means that the plugin's code was never entered.
    virtual Result<Outcome> invoke(const registry::Library& library, const Invocation& invocation,
                                   CallHost& host) = 0;
};

}  // namespace toolhost::runtime
