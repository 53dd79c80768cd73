// Runs one call, from the ABI's request to its status. Catches everything that the tool throws.
#ifndef TOOLHOST_INVOKE_HPP
#define TOOLHOST_INVOKE_HPP

#include <exception>
#include <string>
#include <string_view>

#include "toolhost/abi.hpp"
#include "toolhost/free_json.hpp"
#include "toolhost/library.hpp"

namespace toolhost::detail {

// Reports a failure and returns `status`, which may be more specific than TOOL_FAILED, the result
// of the host's function.
inline tool_status report_failure(const tool_host& host, tool_call* call, std::string_view code,
                                  std::string_view message, tool_status status = TOOL_FAILED) {
    const tool_str code_str = borrow(code), message_str = borrow(message);
    const auto function = get(host, &tool_host::fail);
    if (function) function(call, &code_str, &message_str);
    return status;
}

inline tool_status report_denial(const tool_host& host, tool_call* call, const Denied& denied) {
    const tool_str reason = borrow(denied.reason), message = borrow(denied.message);
    const auto function = get(host, &tool_host::deny);
    if (function) function(call, &reason, &message);
    return TOOL_DENIED;
}

inline tool_status send_reply(const tool_host& host, tool_call* call, const Reply& reply) {
    const auto function = get(host, &tool_host::reply);
    if (!function) return TOOL_UNSUPPORTED;
    const tool_str content = borrow(reply.content());
    return function(call, &content);
}

inline tool_status run_tool(const Tool& tool, const tool_request& request, const tool_host& host,
                            tool_call* call) {
    nlohmann::json input;
    const std::string_view text = has(request, &tool_request::input) ? view(request.input) : "";
    try {
        input = parse_or_empty(text);
    } catch (const nlohmann::json::exception& error) {
        return report_failure(host, call, "invalid_input",
                              tool.name() + ": the input is not JSON: " + error.what(),
                              TOOL_BAD_INPUT);
    }
    Context context(request, host, call);
    const Reply reply = tool.run(context, input);
    free_json(input);
    return send_reply(host, call, reply);
}

inline tool_status invoke(const Library& library, const tool_request& request,
                          const tool_host& host, tool_call* call) {
    const std::string_view name = has(request, &tool_request::tool) ? view(request.tool) : "";
    const Tool* tool = library.find(name);
    if (!tool) {
        return report_failure(host, call, "unknown_tool",
                              "this library has no tool '" + std::string(name) + "'",
                              TOOL_UNSUPPORTED);
    }
    try {
        return run_tool(*tool, request, host, call);
    } catch (const BadInput& bad) {
        return report_failure(
            host, call, "invalid_input",
            tool->name() + (bad.pointer().empty() ? ": input: " : ": input at ") + bad.what(),
            TOOL_BAD_INPUT);
    } catch (const Denied& denied) {
        return report_denial(host, call, denied);
    } catch (const Declined& declined) {
        return declined.dismissed ? TOOL_CANCELLED : TOOL_DENIED;
    } catch (const Unsupported&) {
        return TOOL_UNSUPPORTED;
    } catch (const Interrupted&) {
        return TOOL_INTERRUPTED;
    } catch (const Cancelled&) {
        return TOOL_CANCELLED;
    } catch (const ToolError& error) {
        return report_failure(host, call, error.code(), error.what());
    } catch (const std::exception& error) {
        return report_failure(host, call, "tool_failed", error.what());
    } catch (...) {
        return report_failure(host, call, "tool_failed",
                              "the tool threw an object that is not a std::exception");
    }
}

// The outermost handler: also catches errors while an error is reported, such as exhausted memory.
inline tool_status invoke_guarded(const Library& library, const tool_request* request,
                                  const tool_host* host, tool_call* call) noexcept {
    if (!request || !host) return TOOL_UNSUPPORTED;
    try {
        return invoke(library, *request, *host, call);
    } catch (...) {
        return TOOL_FAILED;
    }
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_INVOKE_HPP
