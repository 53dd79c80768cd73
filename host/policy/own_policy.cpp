#include "host/policy/own_policy.hpp"

#include <algorithm>

#include "host/base/suggest.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/limits.hpp"
#include "host/schema/defaults.hpp"

namespace toolhost::policy {
namespace {

std::string message_prefix(const registry::ToolSpec& spec) {
    return "the policy of tool '" + spec.name + "': ";
}

// A misspelled general setting looks like a key of the tool's own policy.
std::string did_you_mean_limit(const std::string& key) {
    const auto names = limit_names();
    return did_you_mean(key, {names.begin(), names.end()});
}

std::vector<Fault> unknown_keys(const LayeredDocument& own, const registry::ToolSpec& spec) {
    std::vector<Fault> faults;
    for (const auto& [key, ignored] : own.value().items()) {
        const auto pointer = pointer_step(key);
        const auto near = did_you_mean_limit(key);
        faults.push_back({own.key_place(pointer),
                          message_prefix(spec) + "unknown key " + in_quotes(key) +
                              "; the tool does not define a policy" +
                              (near.empty() ? "; only the general settings apply" : near),
                          pointer});
    }
    return faults;
}

Fault to_fault(const LayeredDocument& own, const registry::ToolSpec& spec, const Place& whole,
               const schema::Issue& issue) {
    auto pointer = issue.pointer;
    auto sentence = issue.message;
    if (auto key = unknown_key(issue); !key.empty()) {
        pointer += pointer_step(key);
        sentence = unknown_key_sentence(key, issue.pointer, allowed_keys(issue));
        if (issue.pointer.empty() && sentence.find("did you mean") == std::string::npos)
            sentence += did_you_mean_limit(key);
        return {own.key_place(pointer), message_prefix(spec) + sentence, pointer};
    }
    // An invalid default, or a missing property, has no position in a file.
    const auto* origin = own.origin(pointer);
    return {origin ? origin->place() : whole, message_prefix(spec) + sentence, pointer};
}

}  // namespace

Result<Json> check_own_policy(const LayeredDocument& own, const registry::ToolSpec& spec,
                              const std::string& file) {
    const Json* schema = spec.policy_schema();
    if (!schema) {
        // A glob for a library's tools also matches the hidden tools of its offers.
        if (own.value().empty() || spec.hidden()) return Json::object();
        return to_error(unknown_keys(own, spec));
    }
    auto compiled = schema::Schema::compile(*schema);
    if (!compiled)
        return Error{ErrorCode::plugin_unavailable,
                     "the policySchema of tool '" + spec.name +
                         "' is not a valid schema: " + compiled.error().message,
                     {}};
    Json value = own.value();
    if (!schema::fill_defaults(*schema, value))
        return Error{ErrorCode::plugin_unavailable,
                     "the defaults in the policySchema of tool '" + spec.name +
                         "' have more than " + std::to_string(schema::kMaxDefaultBytes) + " bytes",
                     {}};
    std::vector<Fault> faults;
    for (const auto& issue : compiled->validate(value, kMaxFaults))
        faults.push_back(to_fault(own, spec, {file, 0, 0}, issue));
    if (!faults.empty()) return to_error(faults);
    return value;
}

}  // namespace toolhost::policy
