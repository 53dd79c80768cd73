#include "host/call/checks.hpp"

#include "host/schema/coerce.hpp"

namespace toolhost::call {
namespace {

using registry::Tool;

std::string joined(const std::vector<std::string>& sentences) {
    std::string out;
    for (const auto& sentence : sentences) out += (out.empty() ? "" : "; ") + sentence;
    return out;
}

// "profile 'ci' (shipped:ci.yml:12:5)": which rule it was.
std::string rule(const View& view, const Tool& tool, const char* knob) {
    auto origin = view.profile().origin(tool.spec, knob);
    return "profile '" + view.profile().name() + "'" +
           (origin.empty() ? "" : " (" + std::string(knob) + ", " + origin + ')');
}

}  // namespace

Result<void> check_allowed(const View& view, const Tool& tool) {
    if (view.allowlist().allows(tool)) return {};
    return Error{ErrorCode::tool_not_allowed,
                 "tool '" + tool.spec.name + "' is not allowed: " + view.allowlist().rule(tool),
                 {{"reason", "tool_not_allowed"}, {"profile", view.profile().name()}}};
}

Result<void> check_usable(const View& view, const Tool& tool) {
    if (!tool.requirements_hold()) {
        const auto missing = tool.all_missing();
        return Error{ErrorCode::requirement_missing,
                     "tool '" + tool.spec.name + "' cannot run here: " + joined(missing),
                     {{"missing", missing}}};
    }
    if (tool.spec.deprecated && !view.allowlist().widened(tool)) {
        const auto reference = "native:" + tool.spec.name + '@' + tool.spec.version.text();
        return Error{ErrorCode::tool_deprecated,
                     "tool '" + tool.spec.name + "' " + tool.spec.version.text() +
                         " is deprecated" +
                         (tool.spec.deprecated->empty() ? "" : ": " + *tool.spec.deprecated) +
                         "; TOOLHOST_ALLOW=" + reference + " lets it be called all the same",
                     {}};
    }
    return {};
}

Result<void> check_policy(const View& view, const Tool& tool, const ReadyTool& ready,
                          std::size_t input_bytes) {
    if (ready.refusal) return *ready.refusal;
    const auto& knobs = ready.knobs;
    if (input_bytes > knobs.max_input_bytes)
        return Error{ErrorCode::input_too_large,
                     "the input of tool '" + tool.spec.name + "' has " +
                         std::to_string(input_bytes) + " bytes; " +
                         rule(view, tool, "maxInputBytes") + " allows " +
                         std::to_string(knobs.max_input_bytes),
                     {{"bytes", input_bytes}, {"allowed", knobs.max_input_bytes}}};
    if (!knobs.rate_limit) return {};
    auto wait = ready.record->throttle.admit(*knobs.rate_limit, std::chrono::steady_clock::now());
    if (wait == 0) return {};
    return Error{ErrorCode::rate_limited,
                 "tool '" + tool.spec.name +
                     "' was called too often: " + rule(view, tool, "rateLimit") + " allows " +
                     std::to_string(knobs.rate_limit->calls) + " calls in " +
                     std::to_string(knobs.rate_limit->window_ms) + " ms; try again in " +
                     std::to_string(wait) + " ms",
                 {{"reason", "rate_limit"}, {"retryAfterMs", wait}}};
}

Error too_many_at_once(const View& view, const Tool& tool, std::uint32_t allowed) {
    return {ErrorCode::rate_limited,
            "tool '" + tool.spec.name + "' runs as often at once as " +
                rule(view, tool, "maxConcurrent") + " allows: " + std::to_string(allowed),
            {{"reason", "max_concurrent"}}};
}

Result<void> check_input(const ReadyTool& ready, const Tool& tool, Json& input) {
    if (ready.knobs.coerce_input) schema::coerce(tool.spec.input_schema(), input);
    if (ready.has_defaults && input.is_object())
        schema::fill_defaults(tool.spec.input_schema(), input);
    if (ready.input.valid(input)) return {};
    Json details = Json::array();
    std::vector<std::string> sentences;
    for (auto& issue : ready.input.validate(input)) {
        sentences.push_back(issue.message);
        details.push_back(std::move(issue.details));
    }
    return Error{ErrorCode::invalid_input,
                 "input of tool '" + tool.spec.name + "' is not valid: " + joined(sentences),
                 {{"tool", tool.spec.name}, {"issues", std::move(details)}}};
}

std::optional<bool> standing_consent(const View& view, bool bypass) {
    const auto mode = view.profile().consent();
    if (mode == policy::Consent::deny) return false;  // first: nothing lifts a profile's no
    if (bypass || mode == policy::Consent::bypass) return true;
    return std::nullopt;
}

Result<void> check_consent(const View& view, const Tool& tool, const ReadyTool& ready,
                           const Json& input, bool bypass, const Watch* watch) {
    using policy::Consent;
    const auto mode = view.profile().consent();
    if (!tool.spec.requires_consent) return {};
    const auto rule = [&] {
        const auto origin = view.profile().origin("/consent");
        return "profile '" + view.profile().name() + "'" +
               (origin.empty() ? "" : " (consent, " + origin + ')');
    };
    if (mode == Consent::deny)  // first: nothing lifts a profile's no
        return Error{ErrorCode::consent_denied,
                     "tool '" + tool.spec.name + "' needs consent, which " + rule() +
                         " denies to every tool",
                     {{"reason", "consent_denied"}}};
    if (bypass || mode == Consent::bypass || ready.record->consented) return {};
    std::optional<ConsentAnswer> answer;
    if (watch && watch->consent)
        answer = watch->consent({tool.spec.name, tool.spec.description, input});
    if (!answer)
        return Error{ErrorCode::consent_required,
                     "tool '" + tool.spec.name + "' needs a human's consent by " + rule() +
                         ", and nobody can be asked here; BYPASS_TOOL_CONSENT=true gives it for "
                         "all tools",
                     {{"reason", "consent_required"}}};
    if (*answer == ConsentAnswer::always) ready.record->consented = true;
    if (*answer != ConsentAnswer::no) return {};
    return Error{ErrorCode::consent_denied,
                 "a human was asked about tool '" + tool.spec.name + "' and said no",
                 {{"reason", "consent_denied"}}};
}

std::string denial_reason(const Error& error) {
    switch (error.code) {
        case ErrorCode::tool_not_allowed:
        case ErrorCode::policy_denied:
        case ErrorCode::consent_required:
        case ErrorCode::consent_denied:
        case ErrorCode::rate_limited:
            break;
        default:
            return "";
    }
    if (error.details.is_object())
        if (auto it = error.details.find("reason"); it != error.details.end() && it->is_string())
            return it->get<std::string>();
    return std::string(info(error.code).name);
}

}  // namespace toolhost::call
