#include "host/policy/grants.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "host/base/suggest.hpp"

namespace toolhost::policy {
namespace {

constexpr std::string_view kShippedOnly = "shipped:";
constexpr std::string_view kGrantKeys =
    "use NAME, native:NAME, native:FAMILY.NAME or NAME@VERSION, with * ? [a-z] in names, and "
    "shipped: before it to match only shipped tools";

const Json* list_of_grants(const Json& document) {
    auto it = document.is_object() ? document.find("grants") : document.end();
    return it == document.end() || !it->is_object() ? nullptr : &*it;
}

std::string wrong_path(std::string_view path) {
    if (path.empty()) return "write= requires a path; write without a path grants the workspace";
    // It would be a folder named "~" in the workspace.
    if (path.front() == '~')
        return in_quotes(path) + " is not a valid path: ~ is not expanded; use an absolute path";
    return "";
}

void open_path(Granted& out, const std::string& path) {
    if (std::ranges::find(out.write_paths, path) == out.write_paths.end())
        out.write_paths.push_back(path);
}

std::string wrong_tool(std::string_view pattern) {
    const auto key = GrantKey::parse(pattern);
    return key ? "" : key.error();
}

void open_tool(Granted& out, const std::string& pattern) {
    auto key = GrantKey::parse(pattern);
    if (!key) throw std::logic_error(key.error());  // was checked
    out.tools.push_back(*std::move(key));
}

using registry::Needs;

constexpr std::array kGrants = {
    GrantInfo{GrantKind::network, "network", &Needs::network, &Granted::network},
    GrantInfo{GrantKind::exec, "exec", &Needs::exec, &Granted::exec},
    GrantInfo{GrantKind::write, "write", &Needs::write, &Granted::write, "PATH", &GrantWord::path,
              wrong_path, open_path, true},
    GrantInfo{GrantKind::tools, "tools", nullptr, &Granted::all_tools, "NAME", &GrantWord::tool,
              wrong_tool, open_tool, false},
    GrantInfo{GrantKind::none, "none"},
};

}  // namespace

std::span<const GrantInfo> grant_table() {
    return kGrants;
}

const GrantInfo& info(GrantKind kind) {
    return kGrants[static_cast<std::size_t>(kind)];
}

std::string grant_words() {
    std::vector<std::string> words;
    for (const auto& row : kGrants) {
        if (row.kind == GrantKind::none) continue;
        words.emplace_back(row.name);
        if (row.value) words.push_back(words.back() + '=' + std::string(row.argument));
    }
    return joined(words);
}

boost::system::result<GrantWord, std::string> GrantWord::parse(std::string_view text) {
    const auto equals = std::min(text.find('='), text.size());
    const auto name = text.substr(0, equals);
    const bool narrowed = equals < text.size();
    for (const auto& row : kGrants) {
        if (name != row.name || (narrowed && !row.value)) continue;
        GrantWord word;
        word.kind = row.kind;
        if (!narrowed) return word;
        word.*row.value = text.substr(equals + 1);
        if (auto fault = row.fault(word.*row.value); !fault.empty()) return fault;
        return word;
    }
    std::vector<std::string> names;
    for (const auto& row : kGrants) names.emplace_back(row.name);
    const auto near = did_you_mean(text, names);
    return in_quotes(text) + " is not a grant" + near +
           (near.empty() ? "; allowed: " : " allowed: ") + grant_words() + ", none";
}

std::string GrantWord::text() const {
    const auto& row = info(kind);
    std::string out(row.name);
    if (row.value && !(this->*row.value).empty()) out += '=' + this->*row.value;
    return out;
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
            const auto& row = info(grant.word.kind);
            if (row.need && !(needs.*row.need)) continue;
            if (row.value && !(grant.word.*row.value).empty())
                row.open(out, grant.word.*row.value);
            else if (row.opens)
                out.*row.opens = true;
        }
    }
    for (const auto& row : kGrants) {
        if (!row.need || !(needs.*row.need) || out.*row.opens) continue;
        if (row.kind == GrantKind::write && !out.write_paths.empty()) continue;
        const bool optional = std::ranges::find(needs.optional, row.name) != needs.optional.end();
        (optional ? out.missing_optional : out.missing).emplace_back(row.name);
    }
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
        if (!key) throw std::logic_error(key.error());  // was checked
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
