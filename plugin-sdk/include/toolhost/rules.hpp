// Rules that a Field adds to its schema: Min<1>, Pattern<"^[a-z]+$">, Name<"class">.
//
// The host checks the input against the published schema before the tool runs, so a tool never gets
// a value that breaks a rule.
#ifndef TOOLHOST_RULES_HPP
#define TOOLHOST_RULES_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "toolhost/fixed_string.hpp"

namespace toolhost {

template <FixedString Key, Number Value>
struct NumberRule {
    static void apply(nlohmann::json& schema) { schema[std::string(Key.view())] = Value.json(); }
};

template <FixedString Key, FixedString Value>
struct TextRule {
    static void apply(nlohmann::json& schema) {
        schema[std::string(Key.view())] = std::string(Value.view());
    }
};

// Any keyword, its value written as JSON: Keyword<"examples", R"(["a", "b"])">.
template <FixedString Key, FixedString Value>
struct Keyword {
    static void apply(nlohmann::json& schema) {
        schema[std::string(Key.view())] = nlohmann::json::parse(Value.view());
    }
};

// The JSON key, if it cannot be the member's name: Field<std::string, "...", Name<"class">>.
template <FixedString Key>
struct Name {
    static constexpr std::string_view key = Key.view();
    static void apply(nlohmann::json&) {}
};

template <Number Value>
using Min = NumberRule<"minimum", Value>;
template <Number Value>
using Max = NumberRule<"maximum", Value>;
template <Number Value>
using ExclusiveMin = NumberRule<"exclusiveMinimum", Value>;
template <Number Value>
using ExclusiveMax = NumberRule<"exclusiveMaximum", Value>;
template <Number Value>
using MultipleOf = NumberRule<"multipleOf", Value>;
template <Number Value>
using MinLength = NumberRule<"minLength", Value>;
template <Number Value>
using MaxLength = NumberRule<"maxLength", Value>;
template <Number Value>
using MinItems = NumberRule<"minItems", Value>;
template <Number Value>
using MaxItems = NumberRule<"maxItems", Value>;
template <Number Value>
using MinProperties = NumberRule<"minProperties", Value>;
template <Number Value>
using MaxProperties = NumberRule<"maxProperties", Value>;
template <FixedString Value>
using Pattern = TextRule<"pattern", Value>;
template <FixedString Value>
using Format = TextRule<"format", Value>;
template <FixedString Value>
using Title = TextRule<"title", Value>;
using UniqueItems = Keyword<"uniqueItems", "true">;

namespace detail {

template <class Rule>
constexpr std::string_view rule_key() {
    if constexpr (requires { Rule::key; }) {
        return Rule::key;
    } else {
        return {};
    }
}

// The Name among the rules, or an empty view.
template <class... Rules>
constexpr std::string_view renamed_key() {
    std::string_view found;
    ((found = rule_key<Rules>().empty() ? found : rule_key<Rules>()), ...);
    return found;
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_RULES_HPP
