#include "host/call/denial.hpp"

#include <algorithm>

namespace toolhost::call {
namespace {

constexpr DenialInfo kDenials[] = {
    {Denial::tool_not_allowed, "tool_not_allowed", ErrorCode::tool_not_allowed},
    {Denial::consent_required, "consent_required", ErrorCode::consent_required},
    {Denial::consent_denied, "consent_denied", ErrorCode::consent_denied},
    {Denial::declined, "declined", ErrorCode::consent_denied},
    {Denial::dismissed, "dismissed", ErrorCode::consent_denied},
    {Denial::rate_limit, "rate_limit", ErrorCode::rate_limited},
    {Denial::max_concurrent, "max_concurrent", ErrorCode::rate_limited},
    {Denial::policy_invalid, "policy_invalid", ErrorCode::policy_denied},
    {Denial::grant_missing, "grant_missing", ErrorCode::policy_denied},
    {Denial::protected_path, "protected_path", ErrorCode::policy_denied},
};

}  // namespace

std::span<const DenialInfo> denial_table() {
    return kDenials;
}

std::string_view name_of(Denial reason) {
    return kDenials[static_cast<std::size_t>(reason)].name;
}

Error deny(Denial reason, std::string message, Json details) {
    const auto& info = kDenials[static_cast<std::size_t>(reason)];
    details["reason"] = info.name;
    return {info.code, std::move(message), std::move(details)};
}

std::string denial_reason(const Error& error) {
    const bool is_denial = std::ranges::any_of(
        kDenials, [&](const DenialInfo& info) { return info.code == error.code; });
    if (!is_denial) return "";
    if (error.details.is_object())
        if (auto it = error.details.find("reason"); it != error.details.end() && it->is_string())
            return it->get<std::string>();
    return std::string(info(error.code).name);
}

}  // namespace toolhost::call
