// What a plugin is given for one call, what it may ask of the host meanwhile, and what it leaves
// behind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "host/loading/serial_gates.hpp"
#include "host/os/futex.hpp"
#include "toolhost/plugin.h"

namespace toolhost::loading {

// One invocation, as the plugin gets it. Its texts live as long as the CallHost that goes with it.
struct Invocation {
    std::string_view tool;
    std::string_view use_id;
    std::string_view input;   // JSON
    std::string_view policy;  // JSON
    std::string_view state;   // JSON
    std::uint32_t attempt = 0;
    Chain chain = 0;               // calls within one call have the same
    std::uint32_t depth = 0;       // how many calls it is within
    std::string_view version{};    // of the tool
    std::string_view caller{};     // as in tool_request; empty: there is only one user
    std::string_view principal{};  // the principal of the caller; empty: all callers are one
};

// How a caller ends a call early.
struct Stop {
    std::stop_token cancel;   // the tool is asked to stop, and the call goes on until it does
    std::stop_token abandon;  // the caller no longer waits
};

// So many files that appeared are told by name, beside how many there are.
inline constexpr std::size_t kMostFilesTold = 20;

// What a plugin may ask of the host while it runs. emit, cancelled and log come from any thread.
// Abandoned code may still call these functions: they then have no effect.
class CallHost {
public:
    virtual ~CallHost() = default;
    virtual void emit(std::string_view kind, std::string_view json) = 0;
    [[nodiscard]] virtual bool cancelled() const = 0;
    virtual void log(int level, std::string_view message) = 0;
    // The nested call's ToolResult as JSON text; TOOL_OK, TOOL_FAILED, or TOOL_INTERRUPTED where it
    // waits for a human, and the tool that asked for it does so, too.
    virtual std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                          std::string_view input) = 0;
    // Asks a human: TOOL_OK and the answer as JSON text, TOOL_INTERRUPTED if no human can be asked
    // now, TOOL_DENIED if the human declined, TOOL_CANCELLED if the question was dismissed.
    virtual std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                          std::string_view reason_json) = 0;
    // Asks the client that called: `kind` is "sampling" or "roots", `params_json` that request's.
    // As interrupt(), and TOOL_UNSUPPORTED if there is no client that could answer such a thing.
    virtual std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                           std::string_view params_json) = 0;
    // Files that other programs trust have appeared in a folder that the tool may write. More than
    // once where a call is the first to see what another one left.
    virtual void trusted_files_appeared(const std::vector<std::string>& /*paths*/) {}
    // When the call's time is over. It moves while a question is pending.
    [[nodiscard]] virtual os::Deadline deadline() const = 0;
};

// Of one reply, and of one input of a call within a call. The host holds such a text several times
// over (docs/security.md has the sum).
inline constexpr std::size_t kMaxReplyBytes = 32u << 20;

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
    // What a worker noticed beside it: "memoryMb", "openFiles", limits that were met.
    std::vector<std::string> exhausted{};
};

}  // namespace toolhost::loading
