#include <chrono>
#include <string>
#include <thread>

#include "tools.hpp"

namespace conformance {
namespace {

using toolhost::Context;
using namespace std::chrono_literals;

// Ends the tool when the call is cancelled.
void pause(const Context& context, std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
        context.stop_if_cancelled();
        std::this_thread::sleep_for(5ms);
    }
}

std::string log_thrice(Context& context) {
    context.info("Tool execution started");
    pause(context, 50ms);
    context.info("Tool processing data");
    pause(context, 50ms);
    context.info("Tool execution completed");
    return "Logged three times.";
}

std::string progress_thrice(Context& context) {
    context.progress(0, 100);
    pause(context, 50ms);
    context.progress(50, 100);
    pause(context, 50ms);
    context.progress(100, 100);
    // Some clients stop handling progress once they have read the result, even if all arrive
    // together.
    pause(context, 50ms);
    return "Told three times how far it was.";
}

struct Timeout {
    toolhost::Field<int, "milliseconds until it gives up", toolhost::Min<0>> ms = 20000;
};

// Reports that it runs, so that a test knows when to cancel.
std::string wait_for_cancel(Context& context, const Timeout& in) {
    context.progress(1, {}, "waiting");
    pause(context, std::chrono::milliseconds(in.ms));
    return "Nobody cancelled.";
}

std::string outlast_stream(Context& context) {
    pause(context, 100ms);
    return "Reconnection test completed.";
}

}  // namespace

toolhost::Tool tool_with_logging() {
    return toolhost::tool<log_thrice>("test_tool_with_logging", "Logs while it runs.");
}

// The same for clients that requested no logs.
toolhost::Tool logging_tool() {
    return toolhost::tool<log_thrice>("test_logging_tool", "Logs while it runs.");
}

toolhost::Tool tool_with_progress() {
    return toolhost::tool<progress_thrice>("test_tool_with_progress", "Says how far it is.");
}

toolhost::Tool reconnection() {
    return toolhost::tool<outlast_stream>("test_reconnection", "Outlasts its stream.");
}

// A tool cannot change the host's offers. The test driver finds the call in the host's events and
// changes the plugin folder as a user would.
toolhost::Tool trigger_tool_change() {
    return toolhost::tool("test_trigger_tool_change", "Has the list of tools changed.",
                          [] { return std::string("asked for"); });
}

toolhost::Tool trigger_prompt_change() {
    return toolhost::tool("test_trigger_prompt_change", "Has the list of prompts changed.",
                          [] { return std::string("asked for"); });
}

toolhost::Tool waits_for_cancel() {
    return toolhost::tool<wait_for_cancel>("test_waits_for_cancel", "Runs until it is cancelled.");
}

}  // namespace conformance
