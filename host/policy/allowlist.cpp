#include "host/policy/allowlist.hpp"

#include <algorithm>

namespace toolhost::policy {

Allowlist::Allowlist(registry::Snapshot catalogue, const std::vector<std::string>& widened,
                     ProfilePtr profile)
    : catalogue_(std::move(catalogue)), rules_(catalogue_->all().size()) {
    for (const auto& reference : widened) {
        auto tool = catalogue_->resolve(reference);
        if (tool)
            widened_.push_back(*tool);
        else
            warnings_.push_back("TOOLHOST_ALLOW or the config file's allow: " +
                                tool.error().message);
    }
    auto tools = catalogue_->tools();
    for (std::size_t i = 0; profile && i < tools.size(); ++i) {
        auto verdict = profile->judge(tools[i].spec);
        if (verdict.denied || (!verdict.allowed && !this->widened(tools[i])))
            rules_[i] = std::move(verdict.rule);
    }
    for (const auto& tool : catalogue_->hidden())
        rules_[index(tool)] = rule_of_offers(tool, profile.get());
}

// A client that may call a tool of a library may use its offers. If all tools of a library are
// shadowed, its offers are not allowed. For a library without tools, the rule for its family
// applies.
std::string Allowlist::rule_of_offers(const registry::Tool& hidden, const Profile* profile) const {
    std::string rule;
    bool has_tools = false;
    for (const auto& tool : catalogue_->tools()) {
        if (tool.library != hidden.library) continue;
        has_tools = true;
        if (allows(tool)) return "";
        rule = rules_[index(tool)];
    }
    if (has_tools) return rule;
    for (const auto& shadowed : catalogue_->shadowed())
        if (shadowed.tool.library == hidden.library)
            return "its library is shadowed by " + shadowed.by;
    if (!profile) return "";
    auto named = hidden.spec;
    named.name = named.family;
    return profile->judge(named).rule;
}

std::size_t Allowlist::index(const registry::Tool& tool) const {
    return static_cast<std::size_t>(&tool - catalogue_->all().data());
}

bool Allowlist::has(const registry::Tool& tool) const {
    auto tools = catalogue_->all();
    return &tool >= tools.data() && &tool < tools.data() + tools.size();
}

bool Allowlist::allows(const registry::Tool& tool) const {
    // Unusable tools pass: the next step of a call refuses them with a better reason.
    return has(tool) && rules_[index(tool)].empty();
}

std::string Allowlist::rule(const registry::Tool& tool) const {
    return has(tool) ? rules_[index(tool)] : "";
}

bool Allowlist::widened(const registry::Tool& tool) const {
    return std::find(widened_.begin(), widened_.end(), &tool) != widened_.end();
}

std::vector<std::string> Allowlist::references() const {
    std::vector<std::string> out;
    for (const auto& tool : catalogue_->tools()) {
        if (!allows(tool) || (!tool.usable() && !widened(tool))) continue;
        auto forms = catalogue_->references(tool);
        out.insert(out.end(), forms.begin(), forms.end());
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::string> parse_allow(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        auto comma = text.find(',');
        auto part = text.substr(0, comma);
        text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
        auto first = part.find_first_not_of(" \t");
        if (first == std::string_view::npos) continue;
        out.emplace_back(part.substr(first, part.find_last_not_of(" \t") - first + 1));
    }
    return out;
}

}  // namespace toolhost::policy
