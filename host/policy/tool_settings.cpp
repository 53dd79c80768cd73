#include "host/policy/tool_settings.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/base/suggest.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/embedded.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::policy {
namespace {

// What the profile's schema says of the general limits.
const Json& limits_schema() {
    static const Json schema =
        Json::parse(schema_text("profile.schema.json")).at("$defs").at("limits");
    return schema;
}

// The properties in a tool's policySchema.
const Json& own_properties(const registry::ToolSpec& spec) {
    static const Json none = Json::object();
    const Json* schema = spec.policy_schema();
    if (!schema || !schema->is_object()) return none;
    const auto it = schema->find("properties");
    return it != schema->end() && it->is_object() ? *it : none;
}

Error refused(const std::string& source, std::string sentence) {
    return to_error({{{source, 0, 0}, std::move(sentence), ""}});
}

Result<void> check_keys(const registry::ToolSpec& spec, const Json& values,
                        const std::string& source) {
    const auto names = limit_names();
    std::vector<std::string> known{names.begin(), names.end()};
    for (const auto& [name, ignored] : own_properties(spec).items())
        if (!is_limit(name)) known.push_back(name);
    for (const auto& [key, ignored] : values.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            return refused(source, "tool '" + spec.name + "' has no setting " + in_quotes(key) +
                                       did_you_mean(key, known) + " (settings: " + joined(known) +
                                       ')');
    return {};
}

Result<void> check_limits(const Json& values, const std::string& source) {
    static const auto compiled = schema::Schema::compile(limits_schema());
    if (!compiled) throw std::logic_error("the schema of limits: " + compiled.error().message);
    Json limits = Json::object();
    for (const auto& [key, value] : values.items())
        if (is_limit(key)) limits[key] = value;
    std::vector<Fault> faults;
    for (const auto& issue : compiled->validate(limits, kMaxFaults))
        faults.push_back({{source, 0, 0}, issue.message, issue.pointer});
    if (!faults.empty()) return to_error(faults);
    return {};
}

}  // namespace

Json settings_schema(const registry::ToolSpec& spec) {
    Json out = limits_schema();
    // The tool's own references lead into these.
    if (const Json* own = spec.policy_schema(); own && own->is_object())
        for (const char* key : {"$defs", "definitions"})
            if (own->contains(key)) out[key] = own->at(key);
    // A tool may have a key of a limit's name, which then is its own.
    out["properties"].update(own_properties(spec));
    return out;
}

Result<ProfilePtr> with_settings(const Profile& profile, const registry::ToolSpec& spec,
                                 const Json& values, const std::string& source) {
    if (auto ok = check_keys(spec, values, source); !ok) return ok.error();
    if (auto ok = check_limits(values, source); !ok) return ok.error();
    auto layer = std::make_shared<Layer>();
    layer->name = profile.name();
    layer->document.file = source;
    layer->document.places[""] = {source, 0, 0};
    const auto pattern = "native:" + spec.family + '.' + spec.name + '@' + spec.version.text();
    layer->document.value = {{"name", profile.name()}, {"policies", {{pattern, values}}}};
    auto layers = profile.layers();
    layers.push_back(std::move(layer));
    auto changed = std::make_shared<const Profile>(std::move(layers));
    if (auto own = changed->own_policy(spec); !own) return own.error();
    return ProfilePtr(std::move(changed));
}

}  // namespace toolhost::policy
