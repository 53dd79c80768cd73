// Messages about arrays and objects.
#include <algorithm>

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
    return length("at least", at.node.object->min_properties, at.value.size(), "field", "fields");
}
Sentence max_properties(const Case& at) {
    return length("at most", at.node.object->max_properties, at.value.size(), "field", "fields");
}
Sentence min_contains(const Case& at) {
    return length("at least", at.node.array->min_contains, at.facts.first,
                  "item that matches `contains`", "items that match `contains`");
}
Sentence max_contains(const Case& at) {
    return length("at most", at.node.array->max_contains, at.facts.first,
                  "item that matches `contains`", "items that match `contains`");
}

Sentence unique_items(const Case& at) {
    return {"must have unique items",
            ", but items " + std::to_string(at.facts.first) + " and " +
                std::to_string(at.facts.second) + " are both " + describe(at.value[at.facts.first]),
            true,
            {{"equalItems", {at.facts.first, at.facts.second}}}};
}

Sentence required(const Case& at) {
    const std::string& name = *at.facts.name;
    Sentence out{"missing required field " + quote(name), "", name, {{"property", name}}};
    std::vector<std::string_view> strangers;  // unknown names in the value
    for (const PropertyRule& rule : at.node.object->properties) {
        if (rule.name != name || rule.node == nullptr || rule.node->types == kEveryType) continue;
        out.must += " (" + type_phrase(rule.node->types) + ")";
    }
    const auto known = known_names(at.node);
    for (const auto& [other, member] : at.value.get_ref<const Json::object_t&>()) {
        if (strangers.size() < 20 && !known.contains(other)) strangers.emplace_back(other);
    }
    const auto near = closest_names(name, strangers);
    if (!near.empty() && !at.node.object->additional)
        out.but += "; " + quote(near.front()) + " may be a misspelling";
    return out;
}

Sentence dependent_required(const Case& at) {
    return {"missing field " + quote(*at.facts.name) + ", required by " + quote(*at.facts.trigger),
            "",
            *at.facts.name,
            {{"property", *at.facts.name}}};
}

Sentence unknown_property(const Case& at) {
    const std::string& name = *at.facts.name;
    const auto known = known_names(at.node);
    const std::vector<std::string_view> names(known.begin(), known.end());
    Sentence out{"unknown field " + quote(name), "", Json::array(), {{"property", name}}};
    // The message lists few names; the policy room writes its own and needs all.
    constexpr std::size_t kMaxNames = 64;
    for (std::size_t i = 0; i < names.size() && i < kMaxNames; ++i) {
        out.expected.push_back(names[i]);
    }
    const auto near = closest_names(name, names);
    if (!near.empty()) {
        const bool required = std::ranges::any_of(
            at.node.object->properties,
            [&](const auto& rule) { return rule.required && rule.name == near.front(); });
        out.but = "; did you mean " + list_names(near, 3) + (required ? " (required)?" : "?");
        out.extra["suggestions"] = near;
    } else if (!names.empty()) {
        out.but = "; known fields: " + list_names(names, kListedValues);
    }
    return out;
}

Sentence property_names(const Case& at) {
    return {"invalid field name " + quote(*at.facts.name),
            ": it does not match `propertyNames`",
            "a valid name",
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
