#include "host/serve/offers.hpp"

#include <set>
#include <vector>

namespace toolhost::serve {
namespace {

using registry::Tool;

// Those of a reserved name that the client may call.
std::vector<const Tool*> callable(const call::View& view, std::string_view name) {
    std::vector<const Tool*> out;
    for (const auto& tool : view.catalogue().hidden())
        if (tool.spec.name == name && tool.usable() && view.allowlist().allows(tool))
            out.push_back(&tool);
    return out;
}

struct Kind {
    std::string_view key, identity, answered_by;
};
constexpr Kind kKinds[] = {
    {"resources", "uri", registry::kReadResource},
    {"resourceTemplates", "uriTemplate", registry::kReadResource},
    {"prompts", "name", registry::kGetPrompt},
};

const Kind& kind_of(std::string_view key) {
    for (const auto& kind : kKinds)
        if (kind.key == key) return kind;
    throw std::logic_error("no kind of offer: " + std::string(key));
}

Offered find(const call::View& view, std::string_view key, const std::string& wanted) {
    const auto& kind = kind_of(key);
    for (const auto* tool : callable(view, kind.answered_by))
        for (const auto& entry : registry::offered(*tool, key))
            if (entry.at(kind.identity) == wanted) return {tool, &entry};
    return {};
}

}  // namespace

Json all_offered(const call::View& view, std::string_view key) {
    const auto& kind = kind_of(key);
    Json all = Json::array();
    std::set<std::string_view> seen;
    for (const auto* tool : callable(view, kind.answered_by))
        for (const auto& entry : registry::offered(*tool, key))
            if (seen.insert(entry.at(kind.identity).get_ref<const std::string&>()).second)
                all.push_back(entry);
    return all;
}

Offered find_resource(const call::View& view, const std::string& uri) {
    if (const auto found = find(view, "resources", uri); found.by) return found;
    for (const auto* tool : callable(view, registry::kReadResource))
        for (const auto& entry : registry::offered(*tool, "resourceTemplates"))
            if (fits_template(uri, entry.at("uriTemplate").get_ref<const std::string&>()))
                return {tool, &entry};
    return {};
}

Offered find_prompt(const call::View& view, const std::string& name) {
    return find(view, "prompts", name);
}

const Tool* find_completer(const call::View& view, const Json& ref) {
    const auto text = [&](const char* key) {
        const auto it = ref.find(key);
        return it != ref.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    const auto found = text("type") == "ref/prompt" ? find(view, "prompts", text("name"))
                                                    : find(view, "resourceTemplates", text("uri"));
    if (!found.by) return nullptr;
    return view.catalogue().find_hidden(found.by->library->path, registry::kComplete);
}

RpcError offer_error(const Error& error) {
    return {error.code == ErrorCode::invalid_input ? rpc_code::kInvalidParams : rpc_code::kInternal,
            error.message, to_json(error)};
}

bool says_not_found(const call::ToolResult& result) {
    return result.error && result.error->details.is_object() &&
           result.error->details.value("code", Json()) == "not_found";
}

// Uris and templates both come from strangers: each expression moves a whole set of places, so that
// none makes the others be tried anew.
bool fits_template(std::string_view uri, std::string_view uri_template) {
    std::vector<bool> here(uri.size() + 1), next(uri.size() + 1);  // where a match so far may end
    here[0] = true;
    while (!uri_template.empty()) {
        const auto open = std::min(uri_template.find('{'), uri_template.size());
        const auto text = uri_template.substr(0, open);
        next.assign(next.size(), false);
        for (std::size_t at = 0; at + text.size() <= uri.size(); ++at)
            next[at + text.size()] = here[at] && uri.substr(at, text.size()) == text;
        here.swap(next);
        const auto close = uri_template.find('}', open);
        if (close == uri_template.npos) {
            if (open < uri_template.size()) return false;  // no template
            break;
        }
        // {+path} and {/path*} may have slashes within.
        const bool any = std::string_view("+/#?&").find(uri_template[open + 1]) != uri.npos;
        bool inside = false;
        for (std::size_t at = 0; at <= uri.size(); ++at) {
            next[at] = inside;  // at least one character
            inside = (inside || here[at]) && (any || at == uri.size() || uri[at] != '/');
        }
        here.swap(next);
        uri_template.remove_prefix(close + 1);
    }
    return here.back();
}

}  // namespace toolhost::serve
