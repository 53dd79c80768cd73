// One invocation of a plugin: its input, its interface to the host, and its outcome.
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

// One invocation as passed to the plugin. Its texts must live as long as the CallHost used with it.
struct Invocation {
    std::string_view tool;
    std::string_view use_id;
    std::string_view input;   // JSON
    std::string_view policy;  // JSON
    std::string_view state;   // JSON
    std::uint32_t attempt = 0;
    Chain chain = 0;               // shared by all calls within one call
    std::uint32_t depth = 0;       // number of calls around it
    std::string_view version{};    // of the tool
    std::string_view caller{};     // as in tool_request; empty if there is only one user
    std::string_view principal{};  // principal of the caller; empty if all callers share one
};

// Ways for a caller to end a call early.
struct Stop {
    std::stop_token cancel;   // asks the tool to stop; the call continues until it does
    std::stop_token abandon;  // the caller no longer waits
};

// At most this many new files are named in a message.
inline constexpr std::size_t kMaxFilesTold = 20;

// The interface of a running plugin to the host. emit, cancelled and log may be called from any
// thread. Code of an abandoned call may still call these functions, without effect.
class CallHost {
public:
    virtual ~CallHost() = default;
    virtual void emit(std::string_view kind, std::string_view json) = 0;
    [[nodiscard]] virtual bool cancelled() const = 0;
    virtual void log(int level, std::string_view message) = 0;
    // Returns the nested call's ToolResult as JSON text with TOOL_OK, TOOL_FAILED, or
    // TOOL_INTERRUPTED if it waits for a human; the calling tool then waits too.
    virtual std::pair<tool_status, std::string> call_tool(std::string_view reference,
                                                          std::string_view input) = 0;
    // Asks a human. Returns TOOL_OK and the answer as JSON text, TOOL_INTERRUPTED if no human can
    // be asked now, TOOL_DENIED if the human declined, TOOL_CANCELLED if the question was
    // dismissed.
    virtual std::pair<tool_status, std::string> interrupt(std::string_view name,
                                                          std::string_view reason_json) = 0;
    // Asks the client: `kind` is "sampling" or "roots", `params_json` the parameters of that
    // request. Returns as interrupt(), or TOOL_UNSUPPORTED if no client can answer.
    virtual std::pair<tool_status, std::string> ask_client(std::string_view kind,
                                                           std::string_view params_json) = 0;
    // Reports that files which other programs trust have appeared in a folder that the tool may
    // write. Called again if a later call is the first to notice files of an earlier one.
    virtual void trusted_files_appeared(const std::vector<std::string>& /*paths*/) {}
    // The time at which the call times out. It moves while a question is pending.
    [[nodiscard]] virtual os::Deadline deadline() const = 0;
};

// Limit of one reply, and of the input of one nested call. The host holds several copies of such a
// text (docs/security.md has the sum).
inline constexpr std::size_t kMaxReplyBytes = 32u << 20;

// What the plugin did, not yet judged. The `call` room applies the rules to it.
struct Outcome {
    struct Text {
        std::string key;  // code of fail() or reason of deny()
        std::string message;
    };
    tool_status status = TOOL_OK;
    int replies = 0;
    std::string content;  // of the first reply
    std::optional<Text> failure;
    std::optional<Text> denial;
    // Limits that the worker has seen exceeded: "memoryMb", "openFiles".
    std::vector<std::string> exhausted{};
};

}  // namespace toolhost::loading
