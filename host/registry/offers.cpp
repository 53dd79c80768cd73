#include "host/registry/offers.hpp"

#include <map>
#include <set>

#include "host/base/json_text.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::registry {
namespace {

struct Kind {
    std::string_view key;       // in the spec
    std::string_view identity;  // unique for each entry
};
constexpr Kind kResources{"resources", "uri"}, kTemplates{"resourceTemplates", "uriTemplate"},
    kPrompts{"prompts", "name"};
constexpr Kind kKinds[] = {kResources, kTemplates, kPrompts};

// Reserved for the documentation of tools.
constexpr std::string_view kOwnScheme = "toolhost:";

// Properties of the whole library, which its offers inherit.
constexpr const char* kShared[] = {"version", "needs", "timeoutMs", "requires", "policySchema"};

using Fault = std::optional<SpecFault>;

SpecFault invalid(const std::string& where, const std::string& message) {
    return {"offer_invalid", where + ' ' + message};
}

Fault check_text(const Json& entry, const std::string& where, std::string_view key, bool required) {
    const auto it = entry.find(key);
    if (it == entry.end())
        return required ? Fault(invalid(where + ":",
                                        "missing required field \"" + std::string(key) + '"'))
                        : Fault();
    if (!it->is_string() || (required && it->get_ref<const std::string&>().empty()))
        return invalid(where + '/' + std::string(key),
                       std::string(required ? "must be a non-empty string" : "must be a string") +
                           ", but is " + dump(*it).substr(0, 80));
    return {};
}

// Braces must be balanced, one level deep, with a name in each pair.
bool is_template(std::string_view text) {
    bool any = false;
    while (!text.empty()) {
        const auto open = text.find_first_of("{}");
        if (open == text.npos) break;
        const auto close = text.find_first_of("{}", open + 1);
        if (text[open] == '}' || close == text.npos || text[close] == '{' || close == open + 1)
            return false;
        any = true;
        text.remove_prefix(close + 1);
    }
    return any;
}

Fault check_uri(const Json& entry, const std::string& where, const Kind& kind) {
    const auto& uri = entry.at(kind.identity).get_ref<const std::string&>();
    const auto at = where + '/' + std::string(kind.identity);
    const auto colon = uri.find(':');
    if (colon == 0 || colon == uri.npos || uri.find_first_of(" \t\r\n") != uri.npos)
        return invalid(at, "must be a uri such as \"notes://today\", but is " +
                               dump(entry.at(kind.identity)).substr(0, 80));
    if (uri.starts_with(kOwnScheme)) return invalid(at, "uses a scheme reserved for the host");
    if (kind.key == kTemplates.key && !is_template(uri))
        return invalid(at, "must have a {variable}, but is " + dump(Json(uri)).substr(0, 80));
    return {};
}

Fault check_arguments(const Json& prompt, const std::string& where) {
    const auto list = prompt.find("arguments");
    if (list == prompt.end()) return {};
    if (!list->is_array()) return invalid(where + "/arguments", "must be an array");
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Json& argument = (*list)[i];
        const auto at = where + "/arguments/" + std::to_string(i);
        if (!argument.is_object()) return invalid(at, "must be an object");
        for (std::string_view key : {"name", "title", "description"})
            if (auto fault = check_text(argument, at, key, key == "name")) return fault;
        if (argument.contains("required") && !argument["required"].is_boolean())
            return invalid(at + "/required", "must be true or false");
        if (!names.insert(argument["name"].get<std::string>()).second)
            return invalid(at + "/name", "is a duplicate");
    }
    return {};
}

Fault check_entry(const Json& entry, const std::string& where, const Kind& kind) {
    if (!entry.is_object()) return invalid(where, "must be an object");
    for (std::string_view key : {kind.identity, std::string_view("name")})
        if (auto fault = check_text(entry, where, key, true)) return fault;
    for (const char* key : {"title", "description", "mimeType"})
        if (auto fault = check_text(entry, where, key, false)) return fault;
    return kind.key == kPrompts.key ? check_arguments(entry, where) : check_uri(entry, where, kind);
}

Fault check_list(const Json& list, const Kind& kind) {
    const std::string where = '/' + std::string(kind.key);
    if (!list.is_array()) return invalid(where, "must be an array");
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto at = where + '/' + std::to_string(i);
        if (auto fault = check_entry(list[i], at, kind)) return fault;
        if (!seen.insert(list[i][kind.identity].get<std::string>()).second)
            return invalid(at + '/' + std::string(kind.identity), "is a duplicate");
    }
    return {};
}

const Json kText{{"type", "string"}}, kObject{{"type", "object"}};

Json object_with(Json properties, Json required) {
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)}};
}

// A resource is returned as resource blocks, everything else as a json block with a schema.
Json hidden_tool(std::string_view name, const char* description, Json input, Json output) {
    Json spec{{"name", name}, {"description", description}, {"inputSchema", std::move(input)}};
    if (!output.is_null()) spec["outputSchema"] = std::move(output);
    return spec;
}

Json reads_resources() {
    return hidden_tool(kReadResource, "Reads a resource.",
                       object_with({{"uri", kText}}, Json::array({"uri"})), nullptr);
}

Json gets_prompts() {
    const Json role{{"enum", {"user", "assistant"}}};
    const Json message =
        object_with({{"role", role}, {"content", kObject}}, Json::array({"role", "content"}));
    return hidden_tool(
        kGetPrompt, "Returns the messages of a prompt.",
        object_with({{"name", kText}, {"arguments", kObject}}, Json::array({"name"})),
        object_with({{"description", kText}, {"messages", {{"type", "array"}, {"items", message}}}},
                    Json::array({"messages"})));
}

Json completes() {
    return hidden_tool(kComplete, "Suggests values for an argument.",
                       object_with({{"ref", kObject}, {"argument", kObject}, {"context", kObject}},
                                   Json::array({"ref", "argument"})),
                       object_with({{"values", {{"type", "array"}, {"items", kText}}},
                                    {"total", {{"type", "integer"}}},
                                    {"hasMore", {{"type", "boolean"}}}},
                                   Json::array({"values"})));
}

}  // namespace

bool has_offers(const Json& document) {
    for (const auto& kind : kKinds)
        if (const auto it = document.find(kind.key); it != document.end() && !it->empty())
            return true;
    return false;
}

boost::system::result<std::vector<Json>, SpecFault> take_offers(Json& document) {
    std::map<std::string_view, Json> lists;
    for (const auto& kind : kKinds) {
        const auto it = document.find(kind.key);
        if (it == document.end()) continue;
        if (auto fault = check_list(*it, kind)) return *fault;
        if (!it->empty()) lists[kind.key] = std::move(*it);
        document.erase(it);
    }
    const bool reads = lists.contains(kResources.key) || lists.contains(kTemplates.key);
    const bool fills_in = lists.contains(kTemplates.key) || lists.contains(kPrompts.key);
    std::vector<Json> hidden;
    if (reads) {
        hidden.push_back(reads_resources());
        for (const auto& kind : {kResources, kTemplates})
            if (lists.contains(kind.key)) hidden.back()[kind.key] = std::move(lists[kind.key]);
    }
    if (lists.contains(kPrompts.key)) {
        hidden.push_back(gets_prompts());
        hidden.back()[kPrompts.key] = std::move(lists[kPrompts.key]);
    }
    if (fills_in) hidden.push_back(completes());
    for (auto& spec : hidden)
        for (const char* key : kShared)
            if (document.contains(key)) spec[key] = document[key];
    return hidden;
}

const Json& offered(const Tool& hidden, std::string_view kind) {
    static const Json none = Json::array();
    const auto list = hidden.spec.json().find(kind);
    return list != hidden.spec.json().end() ? *list : none;
}

Json offers_of(const Catalogue& catalogue, std::string_view library) {
    Json all;
    for (const auto& tool : catalogue.hidden())
        for (const auto& kind : kKinds)
            if (tool.library->path == library)
                for (const auto& entry : offered(tool, kind.key))
                    all[std::string(kind.key)].push_back(entry.at(kind.identity));
    return all;
}

std::vector<std::string> clashing_offers(const Catalogue& catalogue) {
    std::vector<std::string> sentences;
    std::map<std::pair<std::string_view, std::string>, const Tool*> first;
    for (const auto& tool : catalogue.hidden())
        for (const auto& kind : kKinds)
            for (const auto& entry : offered(tool, kind.key)) {
                const auto& name = entry.at(kind.identity).get_ref<const std::string&>();
                const auto [it, is_first] = first.emplace(std::pair(kind.identity, name), &tool);
                if (!is_first)
                    sentences.push_back(std::string(kind.key) + " '" + name + "' of " +
                                        tool.library->path + " is shadowed by " +
                                        it->second->library->path);
            }
    return sentences;
}

}  // namespace toolhost::registry
