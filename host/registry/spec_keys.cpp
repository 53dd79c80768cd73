#include "host/registry/spec_keys.hpp"

#include <algorithm>

#include "host/base/suggest.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::registry {
namespace {

using Keys = std::vector<std::string>;

// title, icons, annotations and _meta are MCP's, and passed to clients.
constexpr SpecKey kSpecKeys[] = {
    {.name = "name", .of_tool = true},
    {.name = "description", .of_tool = true, .of_family = true},
    {.name = "inputSchema", .of_tool = true},
    {.name = "outputSchema", .of_tool = true},
    {.name = "policySchema", .of_tool = true, .of_offers = true},
    {.name = "title", .of_tool = true, .of_family = true},
    {.name = "version", .of_tool = true, .of_offers = true},
    {.name = "family", .of_tool = true, .of_family = true},
    {.name = "category", .of_tool = true},
    {.name = "aliases", .of_tool = true},
    {.name = "needs", .of_tool = true, .of_offers = true},
    {.name = "requires", .of_tool = true, .of_offers = true},
    {.name = "deprecated", .of_tool = true},
    {.name = "requiresConsent", .of_tool = true},
    {.name = "stateful", .of_tool = true},
    {.name = "timeoutMs", .of_tool = true, .of_offers = true},
    {.name = "examples", .of_tool = true},
    {.name = "annotations", .of_tool = true},
    {.name = "denialReasons", .of_tool = true},
    {.name = "icons", .of_tool = true},
    {.name = "_meta", .of_tool = true},
    {.name = "tools", .of_family = true},
    {.name = "bridge", .of_family = true},
    {.name = "resources", .of_family = true},
    {.name = "resourceTemplates", .of_family = true},
    {.name = "prompts", .of_family = true},
};

// Null: the key has no meaning here.
const SpecKey* find_key(std::string_view name) {
    const auto* found = std::ranges::find(kSpecKeys, name, &SpecKey::name);
    return found == std::end(kSpecKeys) ? nullptr : found;
}

bool is_free(std::string_view key) {
    return key.starts_with("x-");
}

std::string listed(const Keys& keys) {
    std::string out;
    for (const auto& key : keys) out += (out.empty() ? "" : ", ") + key;
    return out;
}

}  // namespace

std::span<const SpecKey> spec_keys() {
    return kSpecKeys;
}

std::string check_keys(const Json& spec, Level level) {
    static const Keys known = [] {
        Keys names;
        for (const auto& key : kSpecKeys) names.emplace_back(key.name);
        return names;
    }();
    for (const auto& [name, value] : spec.items()) {
        if (is_free(name)) continue;
        if (const auto* key = find_key(name)) {
            if (level != Level::tool && !key->of_family &&
                !(level == Level::offers && key->of_offers))
                return "/" + name + " has no effect beside \"tools\": set it in each tool";
        } else if (const auto meant = misspelled_key(name, known); !meant.empty()) {
            return "unknown key '" + name + "'; did you mean '" + meant +
                   "'? Prefix your own keys with x-";
        }
    }
    return "";
}

std::string check_need(std::string_view key) {
    static const Keys needs = [] {
        Keys keys;
        for (const auto& need : kNeeds) keys.emplace_back(need.name);
        keys.insert(keys.end(), {"tools", "optional"});
        return keys;
    }();
    if (std::ranges::find(needs, key) != needs.end()) return "";
    auto near = did_you_mean(key, needs);
    return "unknown key '" + std::string(key) + "' in /needs" + near +
           (near.empty() ? "; allowed: " : " allowed: ") + listed(needs);
}

Keys unknown_keys_of(const Json& spec) {
    Keys unknown;
    for (const auto& [key, value] : spec.items())
        if (!find_key(key) && !is_free(key)) unknown.push_back(key);
    return unknown;
}

}  // namespace toolhost::registry
