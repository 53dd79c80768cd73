// What a plugin can ask for while one call runs.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "host/call/tool_use.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

class Invoker;

class RunningCall : public runtime::CallHost {
public:
    RunningCall(Invoker& invoker, const ToolUse& use, const Watch& watch, int depth)
        : invoker_(invoker), use_(use), watch_(watch), depth_(depth) {}

    void emit(std::string_view kind, std::string_view json) override;
    [[nodiscard]] bool cancelled() const override;
    void log(int level, std::string_view message) override;
    std::pair<bool, std::string> call_tool(std::string_view reference,
                                           std::string_view input) override;
    std::optional<std::string> interrupt(std::string_view name,
                                         std::string_view reason_json) override;

    // The question nobody could answer: {"id", "name", "reason"}.
    [[nodiscard]] const std::optional<Json>& pending_interrupt() const { return pending_; }

private:
    Invoker& invoker_;
    const ToolUse& use_;
    const Watch& watch_;
    int depth_;
    int nested_ = 0;
    std::optional<Json> pending_;
};

}  // namespace toolhost::call
