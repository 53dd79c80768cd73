// What is said of arrays and objects.
#include "host/schema/describe.hpp"
#include "host/schema/known_names.hpp"
#include "host/schema/sentence_writers.hpp"

namespace toolhost::schema::sentence {

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
    // The sentence lists few; who writes one of their own (the policy room) needs them all.
    constexpr std::size_t most_names = 64;
    for (std::size_t i = 0; i < names.size() && i < most_names; ++i) {
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

}  // namespace toolhost::schema::sentence
