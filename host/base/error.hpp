// Errors of a call as data: stable codes in one table, used by every room.
#pragma once

#include <boost/system/result.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace toolhost {

using Json = nlohmann::json;

enum class ErrorCode {
    unknown_tool,
    ambiguous_tool,
    version_not_found,
    tool_not_allowed,
    tool_deprecated,
    requirement_missing,
    plugin_unavailable,
    plugin_quarantined,
    sandbox_unavailable,
    policy_denied,
    consent_required,
    consent_denied,
    invalid_input,
    invalid_output,
    invalid_reply,
    input_too_large,
    output_too_large,
    rate_limited,
    timeout,
    cancelled,
    interrupted,
    plugin_crashed,
    resource_exhausted,
    call_depth_exceeded,
    tool_failed,
    file_error,
    listen_failed,
    internal,
};

// Exit codes of the command line.
enum class Exit : int {
    ok = 0,
    check_failed = 1,  // a test or check found problems
    usage = 2,
    invalid = 3,
    tool_error = 10,
    trouble = 12,
    denied = 13,
    unsupported = 18,
    waiting = 19,
    internal = 70,
};

struct ErrorInfo {
    ErrorCode code;
    std::string_view name;
    Exit exit;
    std::string_view meaning;
};

// All codes, in the order of the enumeration.
[[nodiscard]] std::span<const ErrorInfo> error_table();
[[nodiscard]] const ErrorInfo& info(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
    Json details;  // null if there are none
};
[[nodiscard]] Exit exit_of(const Error& error);

// The form of an error in a ToolResult: {"code", "message", "details"?}.
[[nodiscard]] Json to_json(const Error& error);

template <class T>
using Result = boost::system::result<T, Error>;

// Called by boost::system::result when value() is called on an error, which is a programming error.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location&);

}  // namespace toolhost
