#include "host/registry/spec_keys.hpp"

#include <algorithm>

#include "host/base/suggest.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::registry {
namespace {

using Keys = std::vector<std::string>;

// Keys of a tool. title, icons, annotations and _meta belong to MCP and are passed to clients.
const Keys& tool_keys() {
    static const Keys keys = {"name",         "description",     "inputSchema",   "outputSchema",
                              "policySchema", "title",           "version",       "family",
                              "category",     "aliases",         "needs",         "requires",
                              "deprecated",   "requiresConsent", "stateful",      "timeoutMs",
                              "examples",     "annotations",     "denialReasons", "icons",
                              "_meta"};
    return keys;
}

// Keys beside "tools".
const Keys& family_keys() {
    static const Keys keys = {"family",    "tools",      "bridge",
                              "resources", "prompts",    "resourceTemplates",
                              "title",     "description"};
    return keys;
}

// Properties of the library that apply to its offers.
const Keys& shared_keys() {
    static const Keys keys = {"version", "needs", "timeoutMs", "requires", "policySchema"};
    return keys;
}

bool has(const Keys& keys, std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool is_known(std::string_view key) {
    return has(tool_keys(), key) || has(family_keys(), key);
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

std::string check_keys(const Json& spec, Level level) {
    Keys known = tool_keys();
    known.insert(known.end(), family_keys().begin(), family_keys().end());
    for (const auto& [key, value] : spec.items()) {
        if (is_free(key)) continue;
        if (!is_known(key)) {
            const auto meant = misspelled_key(key, known);
            if (!meant.empty())
                return "unknown key '" + key + "'; did you mean '" + meant +
                       "'? Prefix your own keys with x-";
        } else if (level != Level::tool && !has(family_keys(), key) &&
                   !(level == Level::offers && has(shared_keys(), key))) {
            return "/" + key + " has no effect beside \"tools\": set it in each tool";
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
    if (has(needs, key)) return "";
    auto near = did_you_mean(key, needs);
    return "unknown key '" + std::string(key) + "' in /needs" + near +
           (near.empty() ? "; allowed: " : " allowed: ") + listed(needs);
}

Keys unknown_keys_of(const Json& spec) {
    Keys unknown;
    for (const auto& [key, value] : spec.items())
        if (!is_known(key) && !is_free(key)) unknown.push_back(key);
    return unknown;
}

}  // namespace toolhost::registry
