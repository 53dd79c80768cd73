#include "host/call/consent.hpp"

#include "host/call/consent_text.hpp"
#include "host/call/denial.hpp"
#include "host/os/content_hash.hpp"

namespace toolhost::call {
namespace {

using policy::Consent;

std::string rule(const View& view) {
    const auto origin = view.profile().origin("/consent");
    return "profile '" + view.profile().name() + "'" +
           (origin.empty() ? "" : " (consent, " + origin + ')');
}

Error denied(const RunningCall& call, const std::string& why) {
    return deny(Denial::consent_denied,
                "tool '" + call.tool->spec.name + "' requires consent, " + why);
}

std::string id_of(const std::string& scope, std::string_view input) {
    os::ContentHash hash;
    hash.add(std::to_string(scope.size()) + ':' + scope);
    hash.add(input);
    return "consent-" + hash.hex();
}

}  // namespace

std::optional<bool> standing_consent(const View& view, bool bypass) {
    const auto mode = view.profile().consent();
    if (mode == Consent::deny) return false;  // first: nothing lifts a profile's no
    if (bypass || mode == Consent::bypass) return true;
    return std::nullopt;
}

Result<void> check_consent(const RunningCall& call, bool bypass) {
    const auto& tool = *call.tool;
    if (!tool.spec.requires_consent) return {};
    if (const auto standing = standing_consent(*call.view, bypass)) {
        if (*standing) return {};
        return denied(call, "which " + rule(*call.view) + " denies for every tool");
    }
    auto& consents = call.ready->tool_state->consents;
    const auto scope = call.lineage.scope_of(*call.ready);
    // Each client, and each session of a client, has a human of its own.
    const auto asker = call.use.principal + '\n' + call.use.caller;
    if (consents.has(asker, scope)) return {};
    const auto id = call.lineage.consents->number(id_of(scope, call.use.input_text));
    if (!id) return denied(call, "and this request has asked for consent too often");
    const auto text = consent_text(tool, call.lineage.callers, call.use.input);
    std::optional<ConsentAnswer> answer;
    if (call.observer)
        answer = call.observer->consent({tool.spec.name, call.use.input, *id, scope, text});
    if (!answer) {
        auto error =
            deny(Denial::consent_required,
                 "tool '" + tool.spec.name + "' requires a human's consent (" + rule(*call.view) +
                     "), and no human can be asked here; BYPASS_TOOL_CONSENT=true consents to all "
                     "tools");
        if (call.consent_later())
            error.details["question"] = {{"id", *id},
                                         {"kind", "consent"},
                                         {"name", "consent"},
                                         {"reason", {{"message", text}}}};
        return error;
    }
    if (*answer == ConsentAnswer::no)
        return deny(Denial::consent_denied,
                    "the user denied the call of tool '" + tool.spec.name + '\'');
    if (*answer == ConsentAnswer::always) consents.give(asker, scope);
    return {};
}

}  // namespace toolhost::call
