#include "host/schema/sentences.hpp"

#include <array>

#include "host/schema/describe.hpp"
#include "host/schema/sentence_writers.hpp"

namespace toolhost::schema {

namespace sentence {

std::string but_is(const Case& at) {
    return ", but is " + describe(at.value);
}

Sentence length(std::string_view side, std::uint64_t limit, std::size_t actual,
                std::string_view singular, std::string_view plural) {
    return {"must have " + std::string(side) + " " + count_of(limit, singular, plural),
            ", but has " + std::to_string(actual),
            limit,
            {{"actualCount", actual}}};
}

}  // namespace sentence

namespace {

using namespace sentence;

// explain.cpp adds the errors of the branches, which it knows.
Sentence any_of(const Case& at) {
    return {"must match one of " + count_of(at.facts.branches->size(), "form", "forms"), but_is(at),
            "one of the forms"};
}

Sentence one_of_many(const Case& at) {
    return {"must match exactly one of " + std::to_string(at.facts.branches->size()) + " forms",
            ", but matches forms " + std::to_string(at.facts.first + 1) + " and " +
                std::to_string(at.facts.second + 1),
            "exactly one of the forms"};
}

Sentence negation(const Case& at) {
    const Node& negated = *at.node.logic->negated;
    if (negated.values != nullptr && negated.values->constant) {
        return {"must not be " + preview(*negated.values->constant), "", "another value"};
    }
    if (negated.types != kEveryType && negated.object == nullptr) {
        return {"must not be " + type_phrase(negated.types), but_is(at), "another type"};
    }
    return {"must not match the schema under `not`", but_is(at), "a value that does not match"};
}

Sentence pattern_cost(const Case& at) {
    return {"could not be checked: the pattern " + quote(at.facts.pattern->source()) +
                " takes too long to match",
            "", "a string that the pattern can be checked on"};
}

Sentence depth(const Case&) {
    return {"could not be checked: schema and value are nested too deeply", "", "less depth"};
}

Sentence cost(const Case&) {
    return {"could not be checked: validation takes too many steps", "", "fewer steps"};
}

Sentence stopped(const Case&) {
    return {"could not be checked before the call ended", "", "less to check"};
}

struct Row {
    std::string_view keyword;
    Sentence (*write)(const Case& at);
};

// In the order of Rule.
constexpr std::array<Row, 35> kTable = {{
    {"false", false_schema},
    {"type", type},
    {"const", constant},
    {"enum", enumeration},
    {"minimum", minimum},
    {"maximum", maximum},
    {"exclusiveMinimum", exclusive_minimum},
    {"exclusiveMaximum", exclusive_maximum},
    {"multipleOf", multiple_of},
    {"minLength", min_length},
    {"maxLength", max_length},
    {"pattern", pattern},
    {"format", format},
    {"minItems", min_items},
    {"maxItems", max_items},
    {"uniqueItems", unique_items},
    {"contains", min_contains},
    {"maxContains", max_contains},
    {"minProperties", min_properties},
    {"maxProperties", max_properties},
    {"required", required},
    {"dependentRequired", dependent_required},
    {"additionalProperties", unknown_property},
    {"propertyNames", property_names},
    {"unevaluatedProperties", unknown_property},
    {"items", additional_items},
    {"unevaluatedItems", unevaluated_items},
    {"anyOf", any_of},
    {"oneOf", any_of},
    {"oneOf", one_of_many},
    {"not", negation},
    {"pattern", pattern_cost},
    {"depth", depth},
    {"cost", cost},
    {kStoppedKeyword, stopped},
}};
static_assert(kTable.size() == static_cast<std::size_t>(Rule::stopped) + 1);

}  // namespace

Sentence write_sentence(Rule rule, const Node& node, const Json& value, const Facts& facts) {
    return kTable[static_cast<std::size_t>(rule)].write({node, value, facts});
}

std::string_view rule_keyword(Rule rule) {
    return kTable[static_cast<std::size_t>(rule)].keyword;
}

}  // namespace toolhost::schema
