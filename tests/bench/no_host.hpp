// A call whose host has no functions.
#pragma once

#include <optional>

#include "host/runtime/runtime.hpp"

namespace toolhost::bench {

struct NoHost : runtime::PluginCall {
    std::optional<Result<loading::Outcome>> outcome;

    void ended(const Result<loading::Outcome>& came) override { outcome = came; }
    void emit(std::string_view, std::string_view) override {}
    bool cancelled() const override { return false; }
    void log(int, std::string_view) override {}
    std::pair<tool_status, std::string> call_tool(std::string_view, std::string_view) override {
        return {};
    }
    std::pair<tool_status, std::string> interrupt(std::string_view, std::string_view) override {
        return {TOOL_INTERRUPTED, ""};
    }
    std::pair<tool_status, std::string> ask_client(std::string_view, std::string_view) override {
        return {TOOL_UNSUPPORTED, ""};
    }
    os::Deadline deadline() const override { return {}; }
};

}  // namespace toolhost::bench
