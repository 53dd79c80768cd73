// Context: the interface of a running tool to its call and to the host.
//
// emit(), progress(), text(), cancelled() and log() may be called from any thread while the call
// runs, everything else only from the thread that the tool was called on. If the host does not
// support a function, streaming and logging do nothing, and asking and calling throw a ToolError.
#ifndef TOOLHOST_CONTEXT_HPP
#define TOOLHOST_CONTEXT_HPP

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "toolhost/abi.hpp"
#include "toolhost/ext/roots.h"
#include "toolhost/ext/sampling.h"
#include "toolhost/outcome.hpp"
#include "toolhost/protected_paths.hpp"
#include "toolhost/read_json.hpp"
#include "toolhost/tool_result.hpp"

namespace toolhost {

class Context {
public:
    Context(const tool_request& request, const tool_host& host, tool_call* call)
        : request_(request), host_(host), call_(call) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    [[nodiscard]] std::string_view tool_name() const { return text_of(&tool_request::tool); }
    [[nodiscard]] std::string_view use_id() const { return text_of(&tool_request::use_id); }
    // The tool's version; empty if the host is older than ABI 1.1.
    [[nodiscard]] std::string_view version() const { return text_of(&tool_request::version); }
    // The caller: the same for all calls of one client, different for others. Empty for a single
    // user. State that a tool keeps between calls must be separate for each caller.
    [[nodiscard]] std::string_view caller() const { return text_of(&tool_request::caller); }

    // 0 for the first call; incremented each time the call is repeated after an interrupt.
    [[nodiscard]] std::uint32_t attempt() const {
        return detail::get(request_, &tool_request::attempt);
    }

    // The caller's invocation state, read-only.
    [[nodiscard]] const nlohmann::json& state() { return parsed(&tool_request::state, state_); }

    // The effective policy of this tool in the call's profile.
    [[nodiscard]] const nlohmann::json& policy() { return parsed(&tool_request::policy, policy_); }

    // The same as a struct. Values that the profile does not set are those of T{}; the host's
    // general settings, which T does not contain, are ignored.
    template <class T>
    [[nodiscard]] T policy() {
        try {
            return read_json<T>(policy(), Reading::lenient);
        } catch (const BadValue& bad) {
            throw ToolError("tool_failed", std::string("policy at ") + bad.what());
        }
    }

    // The absolute path of the tool's folder; relative paths in its input are relative to it.
    [[nodiscard]] std::filesystem::path workspace() {
        const auto& all = policy();
        const auto said = all.is_object() ? all.find("workspace") : all.end();
        if (said == all.end() || !said->is_string()) return std::filesystem::current_path();
        return said->template get<std::string>();
    }

    // Paths in the workspace that the tool must not write; deny with the reason protected_path.
    [[nodiscard]] ProtectedPaths protected_paths() {
        const auto& all = policy();
        const auto said = all.is_object() ? all.find("protectedPaths") : all.end();
        std::vector<std::string> paths;
        if (said != all.end() && said->is_array())
            for (const auto& path : *said)
                if (path.is_string()) paths.push_back(path.template get<std::string>());
        return ProtectedPaths(paths);
    }

    // Limit of the result that reaches the caller: longer text is truncated, a larger json block is
    // an error.
    [[nodiscard]] std::optional<std::size_t> max_output_chars() {
        const auto& all = policy();
        const auto said = all.is_object() ? all.find("maxOutputChars") : all.end();
        if (said == all.end() || !said->is_number_unsigned()) return std::nullopt;
        return said->template get<std::size_t>();
    }

    // The remaining time of the call; nothing if it has no limit.
    [[nodiscard]] std::optional<std::chrono::milliseconds> remaining() const {
        using std::chrono::milliseconds;
        const std::int64_t budget =
            detail::get(request_, &tool_request::budget_ms, std::int64_t{-1});
        if (budget < 0) return std::nullopt;
        const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
        return std::max(milliseconds(0), milliseconds(budget) - spent);
    }

    // Streams a value. Returns false once the call is cancelled. [any-thread]
    bool emit(std::string_view kind, const nlohmann::json& json) const {
        const auto function = detail::get(host_, &tool_host::emit);
        if (!function) return !cancelled();
        const std::string text = detail::dump(json);
        const tool_str kind_str = detail::borrow(kind), json_str = detail::borrow(text);
        return function(call_, &kind_str, &json_str) != TOOL_CANCELLED;
    }

    // Reports progress. Returns false once the call is cancelled. [any-thread]
    bool progress(double done, std::optional<double> total = {},
                  std::string_view message = {}) const {
        nlohmann::json json{{"progress", done}};
        if (total) json["total"] = *total;
        if (!message.empty()) json["message"] = std::string(message);
        return emit("progress", json);
    }

    // Streams a part of the result's text ahead of the result. Returns false once the call is
    // cancelled. [any-thread]
    bool text(std::string_view part) const { return emit("text", std::string(part)); }

    // Whether the tool should stop. [any-thread]
    [[nodiscard]] bool cancelled() const {
        const auto function = detail::get(host_, &tool_host::cancelled);
        return function && function(call_) != 0;
    }

    // Ends the call if it was cancelled.
    void stop_if_cancelled() const {
        if (cancelled()) throw Cancelled{};
    }

    // Writes a line to the call's log. [any-thread]
    void log(std::int32_t level, std::string_view message) const {
        const auto function = detail::get(host_, &tool_host::log);
        const tool_str text = detail::borrow(message);
        if (function) function(call_, level, &text);
    }
    void debug(std::string_view message) const { log(TOOL_LOG_DEBUG, message); }
    void info(std::string_view message) const { log(TOOL_LOG_INFO, message); }
    void warn(std::string_view message) const { log(TOOL_LOG_WARN, message); }
    void error(std::string_view message) const { log(TOOL_LOG_ERROR, message); }

    // Calls another tool, with all checks of an ordinary call. If that tool is interrupted or
    // cancelled, this tool ends too. Input may be JSON or a struct.
    template <class Input>
    [[nodiscard]] ToolResult call_tool(std::string_view ref, const Input& input) {
        const auto function = detail::get(host_, &tool_host::call_tool);
        if (!function) throw ToolError("tool_failed", "this host does not support nested calls");
        const std::string text = detail::dump(write_json(input));
        const tool_str ref_str = detail::borrow(ref), input_str = detail::borrow(text);
        tool_str result{};
        const tool_status status = function(call_, &ref_str, &input_str, &result);
        pass_on(status);
        if (detail::view(result).empty()) {
            throw ToolError("tool_failed", "calling " + std::string(ref) +
                                               " returned no result, status " +
                                               std::to_string(status));
        }
        return ToolResult(nlohmann::json::parse(detail::view(result)));
    }

    // Asks a human and returns the answer. If no human can be asked now, the tool ends here and is
    // called again with the answer, so ask before acting. Throws Declined if the human declines.
    [[nodiscard]] nlohmann::json interrupt(std::string_view name, const nlohmann::json& reason) {
        const auto function = detail::get(host_, &tool_host::interrupt);
        if (!function) throw ToolError("tool_failed", "this host cannot ask questions");
        const std::string text = detail::dump(reason);
        const tool_str name_str = detail::borrow(name), reason_str = detail::borrow(text);
        tool_str answer{};
        return answer_of(name, function(call_, &name_str, &reason_str, &answer), answer);
    }

    // The same for several questions: returns nothing if no human can be asked now. Then ask the
    // other questions and throw Interrupted{}, so that all answers arrive together.
    [[nodiscard]] std::optional<nlohmann::json> try_interrupt(std::string_view name,
                                                              const nlohmann::json& reason) {
        return unless_interrupted([&] { return interrupt(name, reason); });
    }

    // The same, with the answer as a T.
    template <class T>
    [[nodiscard]] T interrupt(std::string_view name, const nlohmann::json& reason) {
        return read_json<T>(interrupt(name, reason));
    }

    // Asks the client's model: takes the params of MCP's sampling/createMessage and returns its
    // result. Ends the call like interrupt(); throws Unsupported if no client can answer.
    [[nodiscard]] nlohmann::json sample(const nlohmann::json& params) {
        const auto* table = static_cast<const tool_sampling*>(extension(TOOL_EXT_SAMPLING));
        if (!table) throw Unsupported{"sampling"};
        const std::string text = detail::dump(params);
        const tool_str params_str = detail::borrow(text);
        tool_str result{};
        return client_answer("sampling", table->create_message(call_, &params_str, &result),
                             result);
    }
    [[nodiscard]] std::optional<nlohmann::json> try_sample(const nlohmann::json& params) {
        return unless_interrupted([&] { return sample(params); });
    }

    // The folders in which the client works, as the result of MCP's roots/list. Ends the call like
    // sample().
    [[nodiscard]] nlohmann::json roots() {
        const auto* table = static_cast<const tool_roots*>(extension(TOOL_EXT_ROOTS));
        if (!table) throw Unsupported{"roots"};
        tool_str result{};
        return client_answer("roots", table->list(call_, &result), result).at("roots");
    }
    [[nodiscard]] std::optional<nlohmann::json> try_roots() {
        return unless_interrupted([&] { return roots(); });
    }

    // Ends the call: the tool's policy forbids it, for a short, stable reason.
    [[noreturn]] void deny(std::string reason, std::string message) const {
        throw Denied{std::move(reason), std::move(message)};
    }

    // Ends the call: it failed.
    [[noreturn]] void fail(std::string code, const std::string& message) const {
        throw ToolError(std::move(code), message);
    }

    // A host extension such as "toolhost.x/1", or null. [any-thread]
    [[nodiscard]] const void* extension(const char* id) const {
        const auto function = detail::get(host_, &tool_host::extension);
        return function ? function(&host_, id) : nullptr;
    }

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string_view text_of(tool_str tool_request::*member) const {
        return detail::has(request_, member) ? detail::view(request_.*member) : std::string_view();
    }

    const nlohmann::json& parsed(tool_str tool_request::*member,
                                 std::optional<nlohmann::json>& cache) {
        if (!cache) cache = detail::parse_or_empty(text_of(member));
        return *cache;
    }

    template <class Ask>
    static std::optional<nlohmann::json> unless_interrupted(Ask ask) {
        try {
            return ask();
        } catch (const Interrupted&) {
            return std::nullopt;
        }
    }

    static void pass_on(tool_status status) {
        if (status == TOOL_INTERRUPTED) throw Interrupted{};
        if (status == TOOL_CANCELLED) throw Cancelled{};
    }

    [[nodiscard]] nlohmann::json client_answer(const char* what, tool_status status,
                                               const tool_str& result) const {
        if (status == TOOL_UNSUPPORTED) throw Unsupported{what};
        return answer_of(what, status, result);
    }

    [[nodiscard]] nlohmann::json answer_of(std::string_view name, tool_status status,
                                           const tool_str& answer) const {
        if (status == TOOL_CANCELLED && cancelled()) throw Cancelled{};
        if (status == TOOL_DENIED || status == TOOL_CANCELLED)
            throw Declined{std::string(name), status == TOOL_CANCELLED};
        pass_on(status);
        if (status != TOOL_OK) {
            throw ToolError("tool_failed", "asking '" + std::string(name) +
                                               "' returned no answer, status " +
                                               std::to_string(status));
        }
        const std::string_view given = detail::view(answer);
        return given.empty() ? nlohmann::json(nullptr) : nlohmann::json::parse(given);
    }

    const tool_request& request_;
    const tool_host& host_;
    tool_call* call_;
    Clock::time_point start_ = Clock::now();
    std::optional<nlohmann::json> state_;
    std::optional<nlohmann::json> policy_;
};

}  // namespace toolhost

#endif  // TOOLHOST_CONTEXT_HPP
