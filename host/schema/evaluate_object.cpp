// Objects.
#include <algorithm>
#include <bit>

#include "host/schema/evaluate.hpp"

namespace toolhost::schema {
namespace {

const Json::object_t& members_of(const Json& value) {
    return *value.get_ptr<const Json::object_t*>();
}

// The cost of looking up a name among `count` sorted ones.
std::uint64_t lookup_steps(const std::string& name, std::size_t count) {
    const auto comparisons = static_cast<std::uint64_t>(std::bit_width(count));
    return (1 + name.size() / Budget::kBytesPerStep) * comparisons / kElementsPerStep;
}

using RuleIterator = std::vector<PropertyRule>::const_iterator;

// Both sequences are sorted and walked together. If there are few members and many rules, each rule
// is searched for instead.
RuleIterator advance_to(RuleIterator rule, RuleIterator end, const std::string& name, bool sparse,
                        bool& found) {
    found = false;
    if (sparse) {
        rule = std::lower_bound(
            rule, end, name,
            [](const PropertyRule& one, const std::string& text) { return one.name < text; });
        found = rule != end && rule->name == name;
        return rule;
    }
    for (; rule != end; ++rule) {
        const int order = rule->name.compare(name);
        if (order >= 0) {
            found = order == 0;
            break;
        }
    }
    return rule;
}

}  // namespace

bool Evaluator::check_object(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const ObjectRules& rules = *node.object;
    const auto& members = members_of(value);
    bool good = true;
    if (members.size() < rules.min_properties) {
        if (!fail(Rule::min_properties, node, value, path)) return false;
        good = false;
    }
    if (members.size() > rules.max_properties) {
        if (!fail(Rule::max_properties, node, value, path)) return false;
        good = false;
    }
    const bool looks_at_members = !rules.properties.empty() || !rules.patterns.empty() ||
                                  rules.additional != nullptr || rules.names != nullptr;
    if (looks_at_members && !check_members(node, value, path, marks)) {
        if (reporter_ == nullptr || halted_) return false;
        good = false;
    }
    return (rules.dependents.empty() || check_dependents(node, value, path, marks)) && good;
}

bool Evaluator::check_members(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const ObjectRules& rules = *node.object;
    const auto& members = members_of(value);
    const bool sparse = rules.properties.size() > 8 * (members.size() + 1);
    auto rule = rules.properties.begin();
    std::size_t required_seen = 0;
    std::size_t index = 0;
    bool good = true;
    const auto check = [&](const Node& child, const std::string& name, const Json& member) {
        if (child.accepts_all) return true;
        if (!evaluate(child, member, {&path, &name, 0}, nullptr)) good = false;
        return good || (reporter_ != nullptr && !halted_);
    };
    if (!spend((rules.properties.size() + members.size()) / kElementsPerStep, node, value, path)) {
        return false;
    }
    for (const auto& [name, member] : members) {
        bool found = false;
        bool covered = false;
        const auto before = rule;
        rule = advance_to(rule, rules.properties.end(), name, sparse, found);
        // For a short name the comparison is covered by the step of its member.
        if (name.size() > Budget::kBytesPerStep) {
            const auto passed =
                sparse ? static_cast<std::size_t>(std::bit_width(rules.properties.size()))
                       : static_cast<std::size_t>(rule - before) + 1;
            if (!spend(passed * (name.size() / Budget::kBytesPerStep), node, value, path)) {
                return false;
            }
        }
        if (found) {
            required_seen += rule->required ? 1 : 0;
            covered = rule->node != nullptr;
            if (covered && !check(*rule->node, name, member)) return false;
        }
        for (const PatternRule& pattern : rules.patterns) {
            if (!search(*pattern.pattern, name, "patternProperties", node, value, path)) {
                if (halted_) return false;
                continue;
            }
            covered = true;
            if (!check(*pattern.node, name, member)) return false;
        }
        if (!covered && rules.additional != nullptr) {
            covered = true;
            if (rules.additional->types == 0) {
                good = false;
                if (!fail(Rule::additional_properties, node, value, path, {.name = &name})) {
                    return false;
                }
            } else if (!check(*rules.additional, name, member)) {
                return false;
            }
        }
        if (covered && marks != nullptr) marks->set(index);
        if (rules.names != nullptr && !check_name(node, value, name, path)) {
            if (reporter_ == nullptr || halted_) return false;
            good = false;
        }
        ++index;
    }
    if (required_seen == rules.required_count) return good;
    if (reporter_ != nullptr) check_required(node, value, path);
    return false;
}

bool Evaluator::check_required(const Node& node, const Json& value, const Path& path) {
    const auto& members = members_of(value);
    for (const PropertyRule& rule : node.object->properties) {
        if (!spend(lookup_steps(rule.name, members.size()), node, value, path)) return false;
        if (!rule.required || members.contains(rule.name)) continue;
        if (!fail(Rule::required, node, value, path, {.name = &rule.name})) return false;
    }
    return false;
}

bool Evaluator::check_name(const Node& node, const Json& value, const std::string& name,
                           const Path& path) {
    const Node& rule = *node.object->names;
    if (rule.accepts_all) return true;
    if (!spend(1 + name.size() / Budget::kBytesPerStep, node, value, path)) return false;
    const bool only_string_rules = rule.values == nullptr && rule.logic == nullptr &&
                                   !rule.tracks &&
                                   (rule.types & type_bit(Json::value_t::string)) != 0;
    Reporter* const outer = reporter_;
    reporter_ = nullptr;
    // Rules for strings only need no copy of the name.
    const bool good = only_string_rules
                          ? rule.string == nullptr || check_string(rule, value, name, path)
                          : evaluate(rule, Json(name), path, nullptr);
    reporter_ = outer;
    if (!good && !halted_) fail(Rule::property_names, node, value, path, {.name = &name});
    return good;
}

bool Evaluator::check_dependents(const Node& node, const Json& value, const Path& path,
                                 Marks* marks) {
    const auto& members = members_of(value);
    bool good = true;
    for (const DependentRule& rule : node.object->dependents) {
        if (!spend(1 + lookup_steps(rule.name, members.size()), node, value, path)) return false;
        if (!members.contains(rule.name)) continue;
        for (std::size_t i = 0; i < rule.required.size(); ++i) {
            const auto steps = 1 + lookup_steps(rule.required[i], members.size());
            if (!spend(steps, node, value, path)) return false;
            if (members.contains(rule.required[i])) continue;
            const Facts facts{
                .name = &rule.required[i], .keyword = rule.keyword, .trigger = &rule.name};
            if (!fail(Rule::dependent_required, node, value, path, facts)) return false;
            good = false;
        }
        if (rule.node != nullptr && !evaluate(*rule.node, value, path, marks)) {
            if (reporter_ == nullptr || halted_) return false;
            good = false;
        }
    }
    return good;
}

bool Evaluator::check_unevaluated_properties(const Node& node, const Json& value, const Path& path,
                                             Marks& marks) {
    const Node& rule = *node.object->unevaluated;
    std::size_t index = 0;
    bool good = true;
    if (!spend(value.size() / kElementsPerStep, node, value, path)) return false;
    for (const auto& [name, member] : members_of(value)) {
        if (marks.test(index++) || rule.accepts_all) continue;
        if (rule.types == 0) {
            if (!fail(Rule::unevaluated_properties, node, value, path, {.name = &name}))
                return false;
            good = false;
        } else if (!evaluate(rule, member, {&path, &name, 0}, nullptr)) {
            if (reporter_ == nullptr || halted_) return false;
            good = false;
        }
    }
    marks.set_all();
    return good;
}

}  // namespace toolhost::schema
