// Numbers, strings, const and enum.
#include <array>

#include "host/base/utf8.hpp"
#include "host/schema/evaluate.hpp"

namespace toolhost::schema {
namespace {

struct Bound {
    Rule rule;
    std::optional<Number> NumberRules::*limit;
    bool (*holds)(std::partial_ordering order);
};

constexpr std::array<Bound, 4> kBounds = {{
    {Rule::minimum, &NumberRules::minimum, std::is_gteq},
    {Rule::maximum, &NumberRules::maximum, std::is_lteq},
    {Rule::exclusive_minimum, &NumberRules::exclusive_minimum, std::is_gt},
    {Rule::exclusive_maximum, &NumberRules::exclusive_maximum, std::is_lt},
}};

}  // namespace

bool Evaluator::check_values(const Node& node, const Json& value, const Path& path) {
    const ValueRules& rules = *node.values;
    const bool is_constant = !rules.constant || equal(*rules.constant, value, budget_);
    const bool is_allowed =
        is_constant && (!rules.allowed || rules.allowed->contains(value, budget_));
    if (budget_.over()) return halt_for_cost(node, value, path);
    if (!is_constant) fail(Rule::constant, node, value, path);
    if (is_constant && !is_allowed) fail(Rule::enumeration, node, value, path);
    return is_allowed;
}

bool Evaluator::check_number(const Node& node, const Json& value, const Path& path) {
    const NumberRules& rules = *node.number;
    const Number number = Number::from(value);
    bool good = true;
    for (const Bound& bound : kBounds) {
        const auto& limit = rules.*bound.limit;
        if (!limit || bound.holds(compare(number, *limit))) continue;
        if (!fail(bound.rule, node, value, path)) return false;
        good = false;
    }
    if (rules.multiple_of && !is_multiple(number, *rules.multiple_of)) {
        fail(Rule::multiple_of, node, value, path);
        good = false;
    }
    return good;
}

bool Evaluator::check_string(const Node& node, const Json& value, const std::string& text,
                             const Path& path) {
    const StringRules& rules = *node.string;
    bool good = true;
    // A character has one to four bytes, so the size in bytes often decides.
    if (text.size() < rules.min_length || text.size() > rules.max_length ||
        (rules.min_length > 0 && text.size() / 4 < rules.min_length)) {
        if (!spend(text.size() / Budget::kBytesPerStep, node, value, path)) return false;
        const std::size_t length = count_characters(text);
        if (length < rules.min_length) {
            if (!fail(Rule::min_length, node, value, path, {.first = length})) return false;
            good = false;
        }
        if (length > rules.max_length) {
            if (!fail(Rule::max_length, node, value, path, {.first = length})) return false;
            good = false;
        }
    }
    if (rules.pattern != nullptr && !search(*rules.pattern, text, "pattern", node, value, path)) {
        if (halted_ || !fail(Rule::pattern, node, value, path)) return false;
        good = false;
    }
    if (rules.format != nullptr) {
        if (!spend(text.size() / Budget::kBytesPerStep, node, value, path)) return false;
        if (!rules.format->check(text)) {
            fail(Rule::format, node, value, path);
            good = false;
        }
    }
    return good;
}

bool Evaluator::search(const Pattern& pattern, const std::string& text, const char* keyword,
                       const Node& node, const Json& value, const Path& path) {
    const Match match = pattern.search(text, budget_);
    if (match != Match::too_expensive) return match == Match::yes;
    if (budget_.stopped()) return halt_for_cost(node, value, path);
    return halt(Rule::pattern_cost, node, value, path, {.pattern = &pattern, .keyword = keyword});
}

}  // namespace toolhost::schema
