#include "host/policy/own_policy.hpp"

#include <algorithm>

#include "host/base/suggest.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/limits.hpp"
#include "host/schema/defaults.hpp"

namespace toolhost::policy {
namespace {

std::string speaking_of(const registry::ToolSpec& spec) {
    return "the policy of tool '" + spec.name + "': ";
}

// A knob that was mistyped looks like a key of the tool's own.
std::string meant_knob(const std::string& key) {
    const auto names = limit_names();
    return did_you_mean(key, {names.begin(), names.end()});
}

std::vector<Fault> no_policy_taken(const LayeredDocument& own, const registry::ToolSpec& spec) {
    std::vector<Fault> faults;
    for (const auto& [key, ignored] : own.value().items()) {
        const auto pointer = pointer_step(key);
        const auto near = meant_knob(key);
        faults.push_back({own.key_place(pointer),
                          speaking_of(spec) + "unknown key " + in_quotes(key) +
                              "; the tool does not define a policy" +
                              (near.empty() ? "; only the general knobs apply" : near),
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
            sentence += meant_knob(key);
        return {own.key_place(pointer), speaking_of(spec) + sentence, pointer};
    }
    // An invalid default, or a missing property, has no place in a file.
    const auto* origin = own.origin(pointer);
    return {origin ? origin->place() : whole, speaking_of(spec) + sentence, pointer};
}

}  // namespace

Result<Json> check_own_policy(const LayeredDocument& own, const registry::ToolSpec& spec,
                              const std::string& file) {
    const Json* schema = spec.policy_schema();
    if (!schema) {
        // A glob that means a library's tools matches what answers for its offers, too.
        if (own.value().empty() || spec.hidden()) return Json::object();
        return to_error(no_policy_taken(own, spec));
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
    for (const auto& issue : compiled->validate(value, kMostFaults))
        faults.push_back(to_fault(own, spec, {file, 0, 0}, issue));
    if (!faults.empty()) return to_error(faults);
    return value;
}

}  // namespace toolhost::policy
