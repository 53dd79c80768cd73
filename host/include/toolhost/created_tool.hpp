// Tools that a program which embeds toolhost creates in its own process: Host::create_tool. Include
// toolhost/host.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace toolhost {
inline namespace v1 {

// An answer to a question of a tool.
struct Answer {
    enum class Kind { given, declined, dismissed };
    Kind kind = Kind::given;
    nlohmann::json value{};  // of `given`
};

struct CallResult {
    // {"toolUseId", "status", "content", "error"?: {"code", "message", "details"?}, "truncated"?}
    nlohmann::json document;
    [[nodiscard]] bool ok() const { return document.at("status") == "success"; }
};

// The input of a created tool.
struct ToolInput {
    std::string tool, version, tool_use_id;
    nlohmann::json input;   // valid against the spec's inputSchema, defaults filled in
    nlohmann::json policy;  // the effective policy of this tool in this profile
    nlohmann::json state;   // CallRequest::state
    std::string principal, caller;
    std::uint32_t attempt = 0;  // +1 each time the call is repeated after a question
};

// What a created tool can do while it runs. Valid until its function returns.
class ToolCall {
public:
    // Streams to CallObserver::event: kind "progress" with {"progress": 3, "total": 10}, or "text".
    // Returns false once the call is cancelled. Callable from any thread.
    virtual bool emit(const std::string& kind, const nlohmann::json& data) = 0;
    // True once the tool should stop. Callable from any thread.
    [[nodiscard]] virtual bool cancelled() const = 0;
    // Levels: 0 debug, 1 info, 2 warning, 3 error. Callable from any thread.
    virtual void log(int level, const std::string& message) = 0;
    // Calls another tool with all checks of an ordinary call. The spec must declare the tool
    // (needs.tools), and the profile or the user must grant it. Call it on the function's own
    // thread only.
    [[nodiscard]] virtual CallResult call(const std::string& tool, const nlohmann::json& input) = 0;
    // Asks a human. Returns nothing if no human can be asked now; then return
    // ToolReply::interrupted(). Call it on the function's own thread only.
    [[nodiscard]] virtual std::optional<Answer> ask(const std::string& name,
                                                    const nlohmann::json& reason) = 0;

protected:
    ToolCall() = default;
    ~ToolCall() = default;
    ToolCall(const ToolCall&) = delete;
    ToolCall& operator=(const ToolCall&) = delete;
};

// What a created tool returns.
struct ToolReply {
    enum class Status { ok, failed, bad_input, denied, cancelled, interrupted };
    Status status = Status::ok;
    nlohmann::json content{};      // for `ok`: an array of content blocks
    std::string key{}, message{};  // for `failed` and `bad_input` a code, for `denied` a reason

    [[nodiscard]] static ToolReply blocks(nlohmann::json content) {
        return {Status::ok, std::move(content), {}, {}};
    }
    [[nodiscard]] static ToolReply text(std::string text) {
        return blocks(nlohmann::json::array({{{"text", std::move(text)}}}));
    }
    [[nodiscard]] static ToolReply json(nlohmann::json value) {
        return blocks(nlohmann::json::array({{{"json", std::move(value)}}}));
    }
    [[nodiscard]] static ToolReply failed(std::string code, std::string message) {
        return {Status::failed, {}, std::move(code), std::move(message)};
    }
    [[nodiscard]] static ToolReply bad_input(std::string code, std::string message) {
        return {Status::bad_input, {}, std::move(code), std::move(message)};
    }
    [[nodiscard]] static ToolReply denied(std::string reason, std::string message) {
        return {Status::denied, {}, std::move(reason), std::move(message)};
    }
    // A human declined the tool's question.
    [[nodiscard]] static ToolReply declined() { return {Status::denied, {}, {}, {}}; }
    // The tool stopped because the call was cancelled.
    [[nodiscard]] static ToolReply cancelled() { return {Status::cancelled, {}, {}, {}}; }
    // A question has no answer yet; the call ends and may be repeated.
    [[nodiscard]] static ToolReply interrupted() { return {Status::interrupted, {}, {}, {}}; }
};

// An exception becomes a tool_failed error.
using ToolFunction = std::function<ToolReply(const ToolInput& input, ToolCall& call)>;

// Whether calls of one tool may run at the same time, each on its own thread.
enum class Concurrency { serial, concurrent };

}  // namespace v1
}  // namespace toolhost
