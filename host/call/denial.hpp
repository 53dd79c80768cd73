// The reasons for which the host denies a call: stable names that events, counters and clients see.
// Tools have reasons of their own (ToolSpec::denial_reasons).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::call {

enum class Denial {
    tool_not_allowed,
    consent_required,
    consent_denied,
    declined,
    dismissed,
    rate_limit,
    max_concurrent,
    policy_invalid,
    grant_missing,
    protected_path,
};

struct DenialInfo {
    Denial reason;
    std::string_view name;
    ErrorCode code;  // of a call that is denied for it
};

// Every reason, in the order of the enumeration.
[[nodiscard]] std::span<const DenialInfo> denial_table();
[[nodiscard]] std::string_view name_of(Denial reason);

// The error of a denied call, with the name of the reason in its details.
[[nodiscard]] Error deny(Denial reason, std::string message, Json details = Json::object());

// The reason why a call was denied, the tool's own included; empty: the error is not a denial.
[[nodiscard]] std::string denial_reason(const Error& error);

}  // namespace toolhost::call
