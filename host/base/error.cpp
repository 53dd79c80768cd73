#include "host/base/error.hpp"

#include <array>
#include <stdexcept>

namespace toolhost {
namespace {

using enum ErrorCode;

// clang-format off
constexpr std::array kTable = {
    ErrorInfo{unknown_tool,        "unknown_tool",        Exit::unsupported, "No tool matches the reference."},
    ErrorInfo{ambiguous_tool,      "ambiguous_tool",      Exit::unsupported, "Tools of several families match the reference; add the family."},
    ErrorInfo{version_not_found,   "version_not_found",   Exit::unsupported, "The tool exists, but not in a version that the reference accepts."},
    ErrorInfo{tool_not_allowed,    "tool_not_allowed",    Exit::denied,      "The tool exists, but is not on the allowlist."},
    ErrorInfo{tool_deprecated,     "tool_deprecated",     Exit::unsupported, "The tool is deprecated; the message says what to use instead."},
    ErrorInfo{requirement_missing, "requirement_missing", Exit::unsupported, "A requirement of the tool is missing."},
    ErrorInfo{plugin_unavailable,  "plugin_unavailable",  Exit::unsupported, "The tool's library cannot be loaded, or is busy with a call that timed out."},
    ErrorInfo{plugin_quarantined,  "plugin_quarantined",  Exit::unsupported, "The tool's library crashed too often and is quarantined."},
    ErrorInfo{sandbox_unavailable, "sandbox_unavailable", Exit::unsupported, "The sandbox that the profile requires cannot be set up."},
    ErrorInfo{policy_denied,       "policy_denied",       Exit::denied,      "The policy denies the call; details contain the reason."},
    ErrorInfo{consent_required,    "consent_required",    Exit::denied,      "The tool requires a human's consent, and no human can be asked."},
    ErrorInfo{consent_denied,      "consent_denied",      Exit::denied,      "A human or the profile denied consent."},
    ErrorInfo{invalid_input,       "invalid_input",       Exit::invalid,     "The input does not match the tool's inputSchema."},
    ErrorInfo{invalid_output,      "invalid_output",      Exit::tool_error,  "The tool's output does not match its outputSchema."},
    ErrorInfo{invalid_reply,       "invalid_reply",       Exit::tool_error,  "The tool violated the ABI: no reply, two replies, or no content blocks."},
    ErrorInfo{input_too_large,     "input_too_large",     Exit::invalid,     "The input is larger than allowed."},
    ErrorInfo{output_too_large,    "output_too_large",    Exit::tool_error,  "The tool's output is larger than allowed."},
    ErrorInfo{rate_limited,        "rate_limited",        Exit::denied,      "The tool was called too often."},
    ErrorInfo{timeout,             "timeout",             Exit::tool_error,  "The call exceeded its timeout."},
    ErrorInfo{cancelled,           "cancelled",           Exit::tool_error,  "The caller cancelled the call."},
    ErrorInfo{interrupted,         "interrupted",         Exit::waiting,     "The tool needs a human's answer; repeat the call with the answer."},
    ErrorInfo{plugin_crashed,      "plugin_crashed",      Exit::tool_error,  "The tool's code crashed."},
    ErrorInfo{resource_exhausted,  "resource_exhausted",  Exit::tool_error,  "The tool hit a limit of memory, time, processes or files."},
    ErrorInfo{call_depth_exceeded, "call_depth_exceeded", Exit::tool_error,  "Nested calls are too deep, or form a cycle."},
    ErrorInfo{tool_failed,         "tool_failed",         Exit::tool_error,  "The tool reported a failure."},
    ErrorInfo{file_error,          "file_error",          Exit::trouble,     "A file or folder that the host needs cannot be opened, read or written."},
    ErrorInfo{listen_failed,       "listen_failed",       Exit::trouble,     "The server cannot listen at the address."},
    ErrorInfo{internal,            "internal",            Exit::internal,    "An internal error of toolhost."},
};
// clang-format on

}  // namespace

std::span<const ErrorInfo> error_table() {
    return kTable;
}

const ErrorInfo& info(ErrorCode code) {
    return kTable[static_cast<std::size_t>(code)];
}

Exit exit_of(const Error& error) {
    return info(error.code).exit;
}

Json to_json(const Error& error) {
    Json out{{"code", info(error.code).name}, {"message", error.message}};
    if (!error.details.is_null()) out["details"] = error.details;
    return out;
}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
    throw std::logic_error("unhandled " + std::string(info(error.code).name) + ": " +
                           error.message);
}

}  // namespace toolhost
