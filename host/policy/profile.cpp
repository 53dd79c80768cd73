#include "host/policy/profile.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "host/policy/embedded.hpp"
#include "host/policy/own_policy.hpp"

namespace toolhost::policy {
namespace {

const Json* find(const Json& value, const char* key) {
    auto it = value.find(key);
    return it == value.end() ? nullptr : &*it;
}

// The lowest layer. It has no file, so its origins are empty.
const Layer& built_in() {
    static const Layer layer{"", {built_in_values(), "", {}, {}}};
    return layer;
}

// The pattern was checked when the layer was read.
ToolPattern pattern_of(const std::string& text) {
    auto pattern = ToolPattern::parse(text);
    if (!pattern) throw std::logic_error(text + ": " + pattern.error());
    return std::move(*pattern);
}

}  // namespace

std::vector<std::string> profile_keys() {
    std::vector<std::string> keys;
    const auto schema = nlohmann::ordered_json::parse(schema_text("profile.schema.json"));
    for (const auto& [key, ignored] : schema.at("properties").items()) keys.push_back(key);
    return keys;
}

Profile::Profile(std::vector<LayerPtr> layers)
    : layers_(std::move(layers)),
      document_(
          {{"/tools/deny", ""}, {"/redact", ""}, {"/environment", ""}, {"/grants/*", "none"}}) {
    document_.merge({&built_in(), ""}, "");
    for (const auto& layer : layers_) {
        // These apply to one document only.
        for (const char* key : {"name", "description", "extends", "inheritGrants"})
            document_.erase(key);
        const auto* inherits = find(layer->document.value, "inheritGrants");
        if (inherits && !inherits->get<bool>()) document_.erase("grants");
        document_.merge({layer.get(), ""}, "");
    }
    read_tools();
    read_rules();
    read_values();
}

std::vector<Profile::Listed> Profile::list(const char* key) const {
    std::vector<Listed> out;
    const auto* tools = find(merged(), "tools");
    const auto* entries = tools ? find(*tools, key) : nullptr;
    if (!entries) return out;
    const auto pointer = std::string("/tools/") + key + '/';
    for (std::size_t i = 0; i < entries->size(); ++i)
        out.push_back({pattern_of((*entries)[i].get<std::string>()),
                       *document_.origin(pointer + std::to_string(i))});
    return out;
}

void Profile::read_tools() {
    const auto* tools = find(merged(), "tools");
    allows_all_ = !tools || !tools->contains("allow");
    allow_ = list("allow");
    deny_ = list("deny");
}

// Reads the layers instead of the merged document, which does not preserve their order.
void Profile::read_rules() {
    for (const auto& layer : layers_) {
        const auto* policies = find(layer->document.value, "policies");
        if (!policies) continue;
        const auto first = static_cast<std::ptrdiff_t>(rules_.size());
        for (const auto& [key, value] : policies->items())
            rules_.push_back(
                {pattern_of(key), {layer.get(), "/policies" + pointer_step(key)}, &value});
        std::sort(rules_.begin() + first, rules_.end(), [](const Rule& a, const Rule& b) {
            const auto at = a.origin.key_place(), other = b.origin.key_place();
            return std::tie(at.line, at.column) < std::tie(other.line, other.column);
        });
    }
    std::stable_partition(rules_.begin(), rules_.end(),
                          [](const Rule& rule) { return !rule.pattern.exact(); });
}

void Profile::read_values() {
    const auto& document = merged();
    read_limits(document["defaults"], defaults_);
    consent_ = read_consent(document["consent"].get<std::string>());
    workspace_ = document["workspace"].get<std::string>();
    if (const auto* limits = find(document, "limits"))
        resource_limits_ = sandbox::read_resource_limits(*limits);
    if (const auto* redact = find(document, "redact"))
        redact_ = redact->get<std::vector<std::string>>();
    if (const auto* names = find(document, "environment"))
        environment_ = names->get<std::vector<std::string>>();
    if (const auto* paths = find(document, "unprotect"))
        unprotect_ = paths->get<std::vector<std::string>>();
    workers_ = read_workers(document["workers"]);
    user_grants_ = document["userGrants"].get<bool>();
    grants_ = read_grants(document, [&](const std::string& pointer) {
        return document_.origins().at(pointer).place();
    });
}

std::string Profile::rule_text(const std::string& what, const Origin& origin,
                               const Place& place) const {
    return what + " of profile '" + origin.layer->name + "' (" + place.text() + ")";
}

Verdict Profile::judge(const registry::ToolSpec& spec) const {
    for (const auto& entry : deny_)
        if (entry.pattern.denies(spec))
            return {false,
                    rule_text("tools.deny \"" + entry.pattern.text() + "\"", entry.origin,
                              entry.origin.place()),
                    true};
    const bool allowed = allows_all_ || std::any_of(allow_.begin(), allow_.end(), [&](auto& entry) {
                             return entry.pattern.matches(spec);
                         });
    if (allowed) return {};
    const auto& origin = *document_.origin("/tools/allow");
    return {false,
            rule_text("tools.allow", origin, origin.layer->document.key_place("/tools/allow")) +
                " does not list it",
            false};
}

Limits Profile::limits(const registry::ToolSpec& spec) const {
    Limits limits = defaults_;
    if (spec.timeout_ms) limits.timeout_ms = std::min(limits.timeout_ms, *spec.timeout_ms);
    for (const auto& rule : rules_)
        if (rule.pattern.matches(spec)) read_limits(*rule.value, limits);
    return limits;
}

Result<Json> Profile::own_policy(const registry::ToolSpec& spec) const {
    const Json* schema = spec.policy_schema();
    const auto declares = [&](const std::string& key) {
        return schema && schema->is_object() &&
               schema->contains(Json::json_pointer("/properties" + pointer_step(key)));
    };
    LayeredDocument own;
    for (const auto& rule : rules_) {
        if (!rule.pattern.matches(spec)) continue;
        for (const auto& [key, value] : rule.value->items()) {
            // A knob is the host's; a tool that declares one of that name is told of it too.
            if (is_limit(key) && !declares(key)) continue;
            const auto step = pointer_step(key);
            own.merge({rule.origin.layer, rule.origin.pointer + step}, value, step);
        }
    }
    return check_own_policy(own, spec, file());
}

Granted Profile::granted(const registry::ToolSpec& spec, bool shipped,
                         const std::vector<Grant>& users) const {
    static const std::vector<Grant> none;
    return policy::granted(spec, shipped, {&grants_, user_grants_ ? &users : &none});
}

bool Profile::speaks_of(const registry::ToolSpec& spec) const {
    return std::any_of(rules_.begin(), rules_.end(),
                       [&](const Rule& rule) { return rule.pattern.matches(spec); });
}

std::string Profile::origin(const std::string& pointer) const {
    const auto* origin = document_.origin(pointer);
    if (!origin) origin = document_.origin("/defaults" + pointer);
    return origin ? origin->place().text() : "";
}

std::string Profile::origin(const registry::ToolSpec& spec, std::string_view limit) const {
    const auto step = pointer_step(limit);
    for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule)
        if (rule->value->contains(limit) && rule->pattern.matches(spec))
            return rule->origin.layer->document.place(rule->origin.pointer + step).text();
    if (limit == "timeoutMs" && spec.timeout_ms && *spec.timeout_ms < defaults_.timeout_ms)
        return "the tool's spec";
    return origin("/defaults" + step);
}

}  // namespace toolhost::policy
