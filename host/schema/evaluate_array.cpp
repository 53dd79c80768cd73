// Arrays.
#include <algorithm>

#include "host/schema/evaluate.hpp"

namespace toolhost::schema {
namespace {

const Json::array_t& items_of(const Json& value) {
    return *value.get_ptr<const Json::array_t*>();
}

}  // namespace

bool Evaluator::check_array(const Node& node, const Json& value, const Path& path, Marks* marks) {
    const ArrayRules& rules = *node.array;
    const auto& items = items_of(value);
    bool good = true;
    if (items.size() < rules.min_items) {
        if (!fail(Rule::min_items, node, value, path)) return false;
        good = false;
    }
    if (items.size() > rules.max_items) {
        if (!fail(Rule::max_items, node, value, path)) return false;
        good = false;
    }
    const std::size_t prefix = rules.prefix.size();
    const std::size_t end = rules.rest != nullptr ? items.size() : std::min(prefix, items.size());
    if (!spend(end / kElementsPerStep, node, value, path)) return false;
    for (std::size_t i = 0; i < end; ++i) {
        const Node& item = i < prefix ? *rules.prefix[i] : *rules.rest;
        if (item.accepts_all) continue;
        if (item.types == 0 && i >= prefix) {  // one error for the array, not one per item
            const Facts facts{.first = prefix, .keyword = rules.rest_keyword};
            if (!fail(Rule::additional_items, node, value, path, facts)) return false;
            good = false;
            break;
        }
        if (!evaluate(item, items[i], {&path, nullptr, i}, nullptr)) {
            if (reporter_ == nullptr || halted_) return false;
            good = false;
        }
    }
    if (marks != nullptr && rules.rest != nullptr) {
        marks->set_all();
    } else if (marks != nullptr) {
        for (std::size_t i = 0; i < end; ++i) marks->set(i);
    }
    if (rules.contains != nullptr) good = check_contains(node, value, path, marks) && good;
    if (rules.unique && (good || reporter_ != nullptr)) {
        if (const auto pair = find_duplicate(items, budget_)) {
            fail(Rule::unique_items, node, value, path,
                 {.first = pair->first, .second = pair->second});
            good = false;
        } else if (budget_.over()) {
            return halt_for_cost(node, value, path);
        }
    }
    return good;
}

bool Evaluator::check_contains(const Node& node, const Json& value, const Path& path,
                               Marks* marks) {
    const ArrayRules& rules = *node.array;
    const auto& items = items_of(value);
    const bool mark = marks != nullptr && rules.contains_marks;
    std::size_t found = 0;
    if (!spend(items.size() / kElementsPerStep, node, value, path)) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!matches(*rules.contains, items[i], {&path, nullptr, i}, nullptr)) continue;
        ++found;
        if (mark) marks->set(i);
        if (!mark && found >= rules.min_contains && rules.max_contains == kNoLimit) return true;
    }
    if (found < rules.min_contains) {
        fail(Rule::min_contains, node, value, path, {.first = found});
        return false;
    }
    if (found > rules.max_contains) {
        fail(Rule::max_contains, node, value, path, {.first = found});
        return false;
    }
    return true;
}

bool Evaluator::check_unevaluated_items(const Node& node, const Json& value, const Path& path,
                                        Marks& marks) {
    const Node& rule = *node.array->unevaluated;
    const auto& items = items_of(value);
    if (!spend(items.size() / kElementsPerStep, node, value, path)) return false;
    bool good = true;
    for (std::size_t i = 0; i < items.size() && !rule.accepts_all; ++i) {
        if (marks.test(i)) continue;
        if (rule.types == 0) {
            if (!fail(Rule::unevaluated_items, node, value, path, {.first = i})) return false;
            good = false;
        } else if (!evaluate(rule, items[i], {&path, nullptr, i}, nullptr)) {
            if (reporter_ == nullptr || halted_) return false;
            good = false;
        }
    }
    marks.set_all();
    return good;
}

}  // namespace toolhost::schema
