#include "host/policy/grants.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/base/suggest.hpp"

namespace toolhost::policy {
namespace {

constexpr std::string_view kShippedOnly = "shipped:";
constexpr std::string_view kWritePath = "write=", kToolName = "tools=";
constexpr std::string_view kGrantKeys =
    "use NAME, native:NAME, native:FAMILY.NAME or NAME@VERSION, with * ? [a-z] in names, and "
    "shipped: before it to match only shipped tools";

const Json* list_of_grants(const Json& document) {
    auto it = document.is_object() ? document.find("grants") : document.end();
    return it == document.end() || !it->is_object() ? nullptr : &*it;
}

std::string wrong_path(std::string_view path) {
    if (path.empty()) return "write= requires a path; write without a path grants the workspace";
    // It would be a folder of that name in the workspace.
    if (path.front() == '~')
        return in_quotes(path) + " is not a valid path: ~ is not expanded; use an absolute path";
    return "";
}

void grant_tools(Granted& out, const GrantWord& word) {
    if (word.tool.empty()) {
        out.all_tools = true;
        return;
    }
    auto key = GrantKey::parse(word.tool);
    if (!key) throw std::logic_error(key.error());  // checked before
    out.tools.push_back(*std::move(key));
}

}  // namespace

boost::system::result<GrantWord, std::string> GrantWord::parse(std::string_view text) {
    if (text == "network") return GrantWord{GrantKind::network, ""};
    if (text == "exec") return GrantWord{GrantKind::exec, ""};
    if (text == "write") return GrantWord{GrantKind::write, ""};
    if (text == "tools") return GrantWord{GrantKind::tools, ""};
    if (text == "none") return GrantWord{GrantKind::none, ""};
    if (text.starts_with(kWritePath)) {
        const auto path = text.substr(kWritePath.size());
        if (auto wrong = wrong_path(path); !wrong.empty()) return wrong;
        return GrantWord{GrantKind::write, std::string(path)};
    }
    if (text.starts_with(kToolName)) {
        const auto tool = text.substr(kToolName.size());
        if (auto key = GrantKey::parse(tool); !key) return key.error();
        return GrantWord{GrantKind::tools, "", std::string(tool)};
    }
    const auto near = did_you_mean(text, {"network", "exec", "write", "tools", "none"});
    return in_quotes(text) + " is not a grant" + near +
           (near.empty() ? "; allowed: " : " allowed: ") +
           "network, exec, write, write=PATH, tools, tools=NAME, none";
}

std::string GrantWord::text() const {
    if (kind == GrantKind::network) return "network";
    if (kind == GrantKind::exec) return "exec";
    if (kind == GrantKind::none) return "none";
    if (kind == GrantKind::tools) return tool.empty() ? "tools" : std::string(kToolName) + tool;
    return path.empty() ? "write" : std::string(kWritePath) + path;
}

boost::system::result<GrantKey, std::string> GrantKey::parse(std::string_view text) {
    const bool shipped_only = text.starts_with(kShippedOnly);
    auto pattern = ToolPattern::parse(shipped_only ? text.substr(kShippedOnly.size()) : text);
    if (!pattern)
        return in_quotes(text) + " is not a tool pattern: " + pattern.error() + "; " +
               std::string(kGrantKeys);
    return GrantKey{*std::move(pattern), std::string(text), shipped_only};
}

bool Granted::may_call(const registry::ToolSpec& called, bool shipped) const {
    return all_tools || std::any_of(tools.begin(), tools.end(), [&](const GrantKey& key) {
               return key.names(called, shipped);
           });
}

Granted granted(const registry::ToolSpec& spec, bool shipped,
                const std::vector<const std::vector<Grant>*>& lists) {
    const auto& needs = spec.needs;
    Granted out;
    out.read = needs.read;
    for (const auto* list : lists) {
        for (const auto& grant : *list) {
            if (!grant.key.names(spec, shipped)) continue;
            const auto& path = grant.word.path;
            if (grant.word.kind == GrantKind::network)
                out.network = needs.network;
            else if (grant.word.kind == GrantKind::exec)
                out.exec = needs.exec;
            else if (grant.word.kind == GrantKind::tools)
                grant_tools(out, grant.word);
            else if (!needs.write)
                continue;
            else if (path.empty())
                out.write = true;
            else if (std::find(out.write_paths.begin(), out.write_paths.end(), path) ==
                     out.write_paths.end())
                out.write_paths.push_back(path);
        }
    }
    const auto note_missing = [&](const char* need) {
        const bool optional = std::ranges::find(needs.optional, need) != needs.optional.end();
        (optional ? out.missing_optional : out.missing).emplace_back(need);
    };
    if (needs.network && !out.network) note_missing("network");
    if (needs.exec && !out.exec) note_missing("exec");
    if (needs.write && !out.write && out.write_paths.empty()) note_missing("write");
    return out;
}

std::string grant_advice(std::string_view tool, std::string_view missing) {
    return "toolhost grant " + std::string(tool) + ' ' + std::string(missing);
}

std::vector<Fault> check_grants(const YamlDocument& document) {
    std::vector<Fault> faults;
    const auto* grants = list_of_grants(document.value);
    if (!grants) return faults;
    for (const auto& [key, words] : grants->items()) {
        const auto pointer = "/grants" + pointer_step(key);
        if (auto parsed = GrantKey::parse(key); !parsed)
            faults.push_back({document.key_place(pointer), parsed.error(), pointer});
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto at = pointer + '/' + std::to_string(i);
            if (auto word = GrantWord::parse(words[i].get<std::string>()); !word)
                faults.push_back({document.place(at), word.error(), at});
        }
    }
    return faults;
}

std::vector<Grant> read_grants(const Json& document,
                               const std::function<Place(const std::string& pointer)>& place) {
    std::vector<Grant> out;
    const auto* grants = list_of_grants(document);
    if (!grants) return out;
    for (const auto& [name, words] : grants->items()) {
        auto key = GrantKey::parse(name);
        if (!key) throw std::logic_error(key.error());  // checked before
        for (std::size_t i = 0; i < words.size(); ++i) {
            auto word = GrantWord::parse(words[i].get<std::string>());
            if (!word) throw std::logic_error(word.error());
            if (word->kind == GrantKind::none) continue;
            out.push_back({*key, *std::move(word),
                           place("/grants" + pointer_step(name) + '/' + std::to_string(i))});
        }
    }
    return out;
}

}  // namespace toolhost::policy
