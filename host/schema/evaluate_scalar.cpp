// Numbers, strings, const and enum.
#include <array>

#include "host/schema/evaluate.hpp"
#include "host/schema/utf8.hpp"

namespace toolhost::schema {
namespace {

// A single search is bounded by its match limit; many searches together by this.
constexpr std::uint64_t max_search_ns = 250'000'000;
// Reading the thread's clock costs more than a usual search, and most values need few of these.
constexpr std::uint32_t searches_per_reading = 16;

// The thread's own time: a busy machine must not make a valid value invalid.
std::uint64_t thread_time_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

struct Bound {
    Rule rule;
    std::optional<Number> NumberRules::*limit;
    bool (*holds)(std::partial_ordering order);
};

constexpr std::array<Bound, 4> bounds = {{
    {Rule::minimum, &NumberRules::minimum, std::is_gteq},
    {Rule::maximum, &NumberRules::maximum, std::is_lteq},
    {Rule::exclusive_minimum, &NumberRules::exclusive_minimum, std::is_gt},
    {Rule::exclusive_maximum, &NumberRules::exclusive_maximum, std::is_lt},
}};

}  // namespace

bool Evaluator::check_values(const Node& node, const Json& value, const Path& path) {
    const ValueRules& rules = *node.values;
    if (rules.constant && !equal(*rules.constant, value)) {
        fail(Rule::constant, node, value, path);
        return false;
    }
    if (rules.allowed && !rules.allowed->contains(value)) {
        fail(Rule::enumeration, node, value, path);
        return false;
    }
    return true;
}

bool Evaluator::check_number(const Node& node, const Json& value, const Path& path) {
    const NumberRules& rules = *node.number;
    const Number number = Number::from(value);
    bool good = true;
    for (const Bound& bound : bounds) {
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
    // A character has one to four bytes: often the size in bytes says enough.
    if (text.size() < rules.min_length || text.size() > rules.max_length ||
        (rules.min_length > 0 && text.size() / 4 < rules.min_length)) {
        const std::size_t length = count_characters(text);
        charge(text.size() / 64);
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
    if (rules.format != nullptr && !rules.format->check(text)) {
        fail(Rule::format, node, value, path);
        good = false;
    }
    return good;
}

bool Evaluator::search(const Pattern& pattern, const std::string& text, const char* keyword,
                       const Node& node, const Json& value, const Path& path) {
    bool late = false;
    if (++searches_ % searches_per_reading == 0) {
        const std::uint64_t now = thread_time_ns();
        if (search_start_ns_ == 0) search_start_ns_ = now;
        late = now - search_start_ns_ > max_search_ns;
    }
    const Match match = late ? Match::too_expensive : pattern.search(text);
    if (match != Match::too_expensive) return match == Match::yes;
    return halt(Rule::pattern_cost, node, value, path, {.pattern = &pattern, .keyword = keyword});
}

}  // namespace toolhost::schema
