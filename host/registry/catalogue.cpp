#include "host/registry/catalogue.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "host/base/suggest.hpp"

namespace toolhost::registry {
namespace {

using Candidates = std::vector<const Tool*>;

template <class Predicate>
Candidates keep(const Candidates& all, Predicate predicate) {
    Candidates kept;
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), predicate);
    return kept;
}

// Narrows only if something remains: a preference, not a condition.
template <class Predicate>
Candidates prefer(const Candidates& all, Predicate predicate) {
    auto kept = keep(all, predicate);
    return kept.empty() ? all : kept;
}

std::set<std::string> families(const Candidates& candidates) {
    std::set<std::string> out;
    for (const auto* tool : candidates) out.insert(tool->spec.family);
    return out;
}

template <class Range>
std::string joined(const Range& parts, std::string_view separator) {
    std::string out;
    for (const auto& part : parts) {
        if (!out.empty()) out += separator;
        out += part;
    }
    return out;
}

Error version_not_found(const Reference& reference, const Candidates& candidates) {
    std::vector<std::string> versions;
    for (const auto* tool : candidates) versions.push_back(tool->spec.version.text());
    return {ErrorCode::version_not_found,
            "tool '" + reference.name + "' has no version " + reference.versions->text() +
                "; available: " + joined(versions, ", "),
            {{"versions", versions}}};
}

Error ambiguous(const Reference& reference, const std::set<std::string>& families) {
    std::vector<std::string> forms;
    for (const auto& family : families) forms.push_back("native:" + family + "." + reference.name);
    return {ErrorCode::ambiguous_tool,
            "tool '" + reference.name + "' is in several families; use " + joined(forms, " or "),
            {{"references", forms}}};
}

}  // namespace

std::string tool_identity(const Tool& tool) {
    return tool.spec.family + '/' + tool.spec.name + '@' + tool.spec.version.text() + '#' +
           tool.library->identity;
}

Catalogue::Catalogue(std::vector<Tool> found) {
    // Hidden tools cannot clash: they are found by their library.
    const auto first_hidden = std::stable_partition(
        found.begin(), found.end(), [](const Tool& tool) { return !tool.spec.hidden(); });
    std::vector<Tool> hidden(std::make_move_iterator(first_hidden),
                             std::make_move_iterator(found.end()));
    found.erase(first_hidden, found.end());
    settle_conflicts(std::move(found));
    visible_ = tools_.size();
    std::stable_sort(tools_.begin(), tools_.end(), [](const Tool& a, const Tool& b) {
        if (auto order =
                std::tie(a.spec.family, a.spec.name) <=> std::tie(b.spec.family, b.spec.name);
            order != 0)
            return order < 0;
        return a.spec.version > b.spec.version;
    });
    for (std::size_t i = 0; i < visible_; ++i) by_name_[tools_[i].spec.name].push_back(i);
    std::move(hidden.begin(), hidden.end(), std::back_inserter(tools_));
    check_tool_requirements();
}

void Catalogue::settle_conflicts(std::vector<Tool> found) {
    std::unordered_map<std::string, std::size_t> by_canonical, by_version;
    for (auto& tool : found) {
        const auto index = tools_.size();
        const auto canonical = canonical_name(tool.spec.name);
        auto [first, is_first] = by_canonical.emplace(canonical, index);
        if (!is_first) {
            const auto& other = tools_[first->second];
            const bool is_twin = other.spec.name != tool.spec.name;
            // No plugin may take the name of an embedded tool, whatever its family and version.
            if (is_twin || other.library->embedded) {
                std::string by = other.library->origin();
                shadowed_.push_back({std::move(tool), std::move(by), is_twin ? kTwin : kDuplicate});
                continue;
            }
        }
        // Build metadata does not distinguish versions.
        Version version = tool.spec.version;
        version.build.clear();
        auto [same, is_new] = by_version.emplace(canonical + '@' + version.text(), index);
        if (!is_new) {
            std::string by = tools_[same->second].library->origin();
            shadowed_.push_back({std::move(tool), std::move(by), kDuplicate});
            continue;
        }
        tools_.push_back(std::move(tool));
    }
}

bool Catalogue::requirement_holds(const std::string& name, const std::string& range) const {
    auto accepted = VersionRange::parse(range);
    auto it = by_name_.find(name);
    if (!accepted || it == by_name_.end()) return false;
    return std::any_of(it->second.begin(), it->second.end(), [&](std::size_t i) {
        return tools_[i].requirements_hold() && accepted->contains(tools_[i].spec.version);
    });
}

// A tool that becomes unusable may be required by others. Only those are checked again, so a long
// chain takes linear time.
void Catalogue::check_tool_requirements() {
    constexpr std::string_view kPrefix = "tool:";
    std::unordered_map<std::string_view, std::vector<std::size_t>> requiring;  // by required name
    for (std::size_t i = 0; i < tools_.size(); ++i) {
        tools_[i].missing_tools.clear();
        for (const auto& [what, range] : tools_[i].spec.requirements)
            if (what.starts_with(kPrefix))
                requiring[std::string_view(what).substr(kPrefix.size())].push_back(i);
    }
    std::vector<std::size_t> lost;
    const auto check = [&](std::size_t index) {
        auto& tool = tools_[index];
        if (!tool.requirements_hold()) return;
        for (const auto& [what, range] : tool.spec.requirements) {
            if (!what.starts_with(kPrefix)) continue;
            auto name = what.substr(kPrefix.size());
            if (!requirement_holds(name, range))
                tool.missing_tools.push_back("tool '" + name + "' " + range + " is not usable");
        }
        if (!tool.requirements_hold()) lost.push_back(index);
    };
    for (std::size_t i = 0; i < tools_.size(); ++i) check(i);
    while (!lost.empty()) {
        const auto found = requiring.find(tools_[lost.back()].spec.name);
        lost.pop_back();
        if (found != requiring.end())
            for (const auto index : found->second) check(index);
    }
}

std::vector<std::string> Catalogue::names() const {
    std::vector<std::string> out;
    for (const auto& tool : tools())
        if (out.empty() || out.back() != tool.spec.name) out.push_back(tool.spec.name);
    return out;
}

Result<const Tool*> Catalogue::resolve(std::string_view reference) const {
    // Most references are a name that only one tool has.
    if (const auto it = by_name_.find(std::string(reference));
        it != by_name_.end() && it->second.size() == 1)
        return &tools_[it->second.front()];
    auto parsed = Reference::parse(reference);
    if (!parsed) return parsed.error();
    return resolve(*parsed);
}

Result<const Tool*> Catalogue::resolve(const Reference& reference) const {
    auto it = by_name_.find(reference.name);
    if (it == by_name_.end())
        return Error{
            ErrorCode::unknown_tool,
            "unknown tool '" + reference.name + "'" + did_you_mean(reference.name, names()),
            {{"suggestions", near_misses(reference.name, names())}}};
    Candidates named;
    for (auto index : it->second) named.push_back(&tools_[index]);

    auto candidates = named;
    if (!reference.family.empty()) {
        auto in_family = [&](const Tool* t) { return t->spec.family == reference.family; };
        candidates = keep(named, in_family);
        if (candidates.empty() && reference.family_may_be_name) candidates = named;
        if (candidates.empty())
            return Error{ErrorCode::unknown_tool,
                         "no tool '" + reference.name + "' in family '" + reference.family +
                             "'; it is in " + joined(families(named), ", "),
                         {{"families", families(named)}}};
    }
    if (reference.versions) {
        auto accepted = keep(candidates, [&](const Tool* t) {
            return reference.versions->contains(t->spec.version);
        });
        if (accepted.empty()) return version_not_found(reference, candidates);
        candidates = std::move(accepted);
    }
    candidates = prefer(candidates, [](const Tool* t) { return t->usable(); });
    candidates =
        prefer(candidates, [](const Tool* t) { return t->spec.version.prerelease.empty(); });
    if (auto in = families(candidates); in.size() > 1) return ambiguous(reference, in);
    return *std::max_element(candidates.begin(), candidates.end(),
                             [](auto* a, auto* b) { return a->spec.version < b->spec.version; });
}

const Tool* Catalogue::find_hidden(std::string_view library, std::string_view name) const {
    for (const auto& tool : hidden())
        if (tool.library->path == library && tool.spec.name == name) return &tool;
    return nullptr;
}

std::vector<std::string> Catalogue::references(const Tool& tool) const {
    std::vector<std::string> out;
    for (auto& form : reference_forms(tool.spec.family, tool.spec.name)) {
        auto resolved = resolve(form);
        if (resolved && *resolved == &tool) out.push_back(form);
        out.push_back(form + '@' + tool.spec.version.text());
    }
    // Unversioned forms first: they are what people type.
    std::stable_partition(out.begin(), out.end(), [](const std::string& form) {
        return form.find('@') == std::string::npos;
    });
    return out;
}

}  // namespace toolhost::registry
