#include "host/schema/sentences.hpp"

#include <array>

#include "host/schema/describe.hpp"
#include "host/schema/known_names.hpp"

namespace toolhost::schema {
namespace {

constexpr std::size_t listed_values = 10;

struct Case {
    const Node& node;
    const Json& value;
    const Facts& facts;
};

std::string but_is(const Case& at) {
    return ", but is " + describe(at.value);
}

Json number_json(const Number& number) {
    switch (number.kind) {
        case Number::Kind::integer:
            return number.integer;
        case Number::Kind::natural:
            return number.natural;
        case Number::Kind::real:
            break;
    }
    return number.real;
}

Sentence false_schema(const Case& at) {
    return {"must not be here: no value is allowed", but_is(at), "nothing"};
}

Sentence type(const Case& at) {
    const std::string phrase = type_phrase(at.node.types);
    return {"must be " + phrase, but_is(at), phrase};
}

Sentence constant(const Case& at) {
    const Json& constant = *at.node.values->constant;
    return {"must be " + preview(constant), but_is(at), short_json(constant)};
}

Sentence enumeration(const Case& at) {
    const auto& values = at.node.values->allowed->values();
    Sentence out{"must be one of ", but_is(at), Json::array()};
    std::vector<std::string_view> texts;
    for (std::size_t i = 0; i < values.size() && i < listed_values; ++i) {
        if (i > 0) out.must += ", ";
        out.must += preview(values[i]);
        out.expected.push_back(short_json(values[i]));
        if (const auto* text = values[i].get_ptr<const std::string*>()) texts.emplace_back(*text);
    }
    if (values.empty()) out.must = "must be one of no values at all";
    if (values.size() > listed_values) {
        out.must += " and " + std::to_string(values.size() - listed_values) + " more";
    }
    if (const auto* text = at.value.get_ptr<const std::string*>()) {
        const auto near = closest_names(*text, texts);
        if (!near.empty()) out.but += "; did you mean " + quote(near.front()) + "?";
    }
    return out;
}

template <std::optional<Number> NumberRules::*limit>
Sentence bound(const Case& at, std::string_view phrase) {
    const Json number = number_json(*(at.node.number->*limit));
    return {"must be " + std::string(phrase) + " " + number.dump(), ", but is " + preview(at.value),
            number};
}
Sentence minimum(const Case& at) {
    return bound<&NumberRules::minimum>(at, "at least");
}
Sentence maximum(const Case& at) {
    return bound<&NumberRules::maximum>(at, "at most");
}
Sentence exclusive_minimum(const Case& at) {
    return bound<&NumberRules::exclusive_minimum>(at, "greater than");
}
Sentence exclusive_maximum(const Case& at) {
    return bound<&NumberRules::exclusive_maximum>(at, "less than");
}
Sentence multiple_of(const Case& at) {
    return bound<&NumberRules::multiple_of>(at, "a multiple of");
}

Sentence length(std::string_view side, std::uint64_t limit, std::size_t actual,
                std::string_view singular, std::string_view plural) {
    return {"must have " + std::string(side) + " " + count_of(limit, singular, plural),
            ", but has " + std::to_string(actual),
            limit,
            {{"actualCount", actual}}};
}
Sentence min_length(const Case& at) {
    return length("at least", at.node.string->min_length, at.facts.first, "character",
                  "characters");
}
Sentence max_length(const Case& at) {
    return length("at most", at.node.string->max_length, at.facts.first, "character", "characters");
}
Sentence min_items(const Case& at) {
    return length("at least", at.node.array->min_items, at.value.size(), "item", "items");
}
Sentence max_items(const Case& at) {
    return length("at most", at.node.array->max_items, at.value.size(), "item", "items");
}
Sentence min_properties(const Case& at) {
    return length("at least", at.node.object->min_properties, at.value.size(), "property",
                  "properties");
}
Sentence max_properties(const Case& at) {
    return length("at most", at.node.object->max_properties, at.value.size(), "property",
                  "properties");
}
Sentence min_contains(const Case& at) {
    return length("at least", at.node.array->min_contains, at.facts.first,
                  "item that fits `contains`", "items that fit `contains`");
}
Sentence max_contains(const Case& at) {
    return length("at most", at.node.array->max_contains, at.facts.first,
                  "item that fits `contains`", "items that fit `contains`");
}

Sentence pattern(const Case& at) {
    const std::string& source = at.node.string->pattern->source();
    return {"must match the pattern " + quote(source), but_is(at), source.substr(0, 1000)};
}

Sentence format(const Case& at) {
    const Format& one = *at.node.string->format;
    return {"must be of the format " + std::string(one.name) + " (such as " +
                std::string(one.example) + ")",
            but_is(at), one.name};
}

Sentence unique_items(const Case& at) {
    return {"must have no two equal items",
            ", but items " + std::to_string(at.facts.first) + " and " +
                std::to_string(at.facts.second) + " are both " + describe(at.value[at.facts.first]),
            true,
            {{"equalItems", {at.facts.first, at.facts.second}}}};
}

Sentence required(const Case& at) {
    const std::string& name = *at.facts.name;
    Sentence out{
        "must have the property " + quote(name), ", which is missing", name, {{"property", name}}};
    std::vector<std::string_view> strangers;  // what is there under a name that nobody knows
    for (const PropertyRule& rule : at.node.object->properties) {
        if (rule.name != name || rule.node == nullptr || rule.node->types == every_type) continue;
        out.must += " (" + type_phrase(rule.node->types) + ")";
    }
    const auto known = known_names(at.node);
    for (const auto& [other, member] : at.value.get_ref<const Json::object_t&>()) {
        if (strangers.size() < 20 && !known.contains(other)) strangers.emplace_back(other);
    }
    const auto near = closest_names(name, strangers);
    if (!near.empty()) out.but += "; is " + quote(near.front()) + " meant to be it?";
    return out;
}

Sentence dependent_required(const Case& at) {
    return {"must have the property " + quote(*at.facts.name) + " because it has " +
                quote(*at.facts.trigger),
            ", which is not enough alone",
            *at.facts.name,
            {{"property", *at.facts.name}}};
}

Sentence unknown_property(const Case& at) {
    const std::string& name = *at.facts.name;
    const auto known = known_names(at.node);
    const std::vector<std::string_view> names(known.begin(), known.end());
    Sentence out{
        "must not have the property " + quote(name), "", Json::array(), {{"property", name}}};
    for (std::size_t i = 0; i < names.size() && i < listed_values; ++i) {
        out.expected.push_back(names[i]);
    }
    const auto near = closest_names(name, names);
    if (!near.empty()) {
        out.but = "; did you mean " + list_names(near, 3) + "?";
        out.extra["suggestions"] = near;
    } else if (!names.empty()) {
        out.but = "; the known properties are " + list_names(names, listed_values);
    }
    return out;
}

Sentence property_names(const Case& at) {
    return {"must not have a property named " + quote(*at.facts.name),
            "; the name does not fit `propertyNames`",
            "a fitting name",
            {{"property", *at.facts.name}}};
}

Sentence additional_items(const Case& at) {
    return {"must have at most " + count_of(at.facts.first, "item", "items"),
            ", but has " + std::to_string(at.value.size()), at.facts.first};
}

Sentence unevaluated_items(const Case& at) {
    return {"must not have the item " + std::to_string(at.facts.first),
            ", " + describe(at.value[at.facts.first]),
            "no such item",
            {{"item", at.facts.first}}};
}

// The branches' own words are added where they are known, in explain.cpp.
Sentence any_of(const Case& at) {
    return {"must fit one of " + count_of(at.facts.branches->size(), "form", "forms"), but_is(at),
            "one of the forms"};
}

Sentence one_of_many(const Case& at) {
    return {"must fit exactly one of " + std::to_string(at.facts.branches->size()) + " forms",
            ", but fits both the forms " + std::to_string(at.facts.first + 1) + " and " +
                std::to_string(at.facts.second + 1),
            "exactly one of the forms"};
}

Sentence negation(const Case& at) {
    const Node& negated = *at.node.logic->negated;
    if (negated.values != nullptr && negated.values->constant) {
        return {"must not be " + preview(*negated.values->constant), "", "another value"};
    }
    if (negated.types != every_type && negated.object == nullptr) {
        return {"must not be " + type_phrase(negated.types), but_is(at), "another type"};
    }
    return {"must not fit the schema under `not`", but_is(at), "what does not fit"};
}

Sentence pattern_cost(const Case& at) {
    return {"could not be checked: the pattern " + quote(at.facts.pattern->source()) +
                " takes too long on it",
            "", "a string that the pattern can be checked on"};
}

Sentence depth(const Case&) {
    return {"could not be checked: the schema and the value lead too deep", "", "less depth"};
}

Sentence cost(const Case&) {
    return {"could not be checked: the schema takes too many steps on it", "", "fewer steps"};
}

struct Row {
    std::string_view keyword;
    Sentence (*write)(const Case& at);
};

// In the order of Rule.
constexpr std::array<Row, 34> table = {{
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
}};
static_assert(table.size() == static_cast<std::size_t>(Rule::cost) + 1);

}  // namespace

Sentence write_sentence(Rule rule, const Node& node, const Json& value, const Facts& facts) {
    return table[static_cast<std::size_t>(rule)].write({node, value, facts});
}

std::string_view rule_keyword(Rule rule) {
    return table[static_cast<std::size_t>(rule)].keyword;
}

}  // namespace toolhost::schema
