// One function per rule that writes its message; sentences.cpp has the table.
#pragma once

#include <string>
#include <string_view>

#include "host/schema/sentences.hpp"

namespace toolhost::schema::sentence {

struct Case {
    const Node& node;
    const Json& value;
    const Facts& facts;
};

// The number of values or names that a message lists before "and 12 more".
inline constexpr std::size_t kListedValues = 10;

// ", but is the string \"three\""
[[nodiscard]] std::string but_is(const Case& at);

// "must have at least 3 items, but has 1"
[[nodiscard]] Sentence length(std::string_view side, std::uint64_t limit, std::size_t actual,
                              std::string_view singular, std::string_view plural);

// sentences_scalar.cpp
Sentence false_schema(const Case& at);
Sentence type(const Case& at);
Sentence constant(const Case& at);
Sentence enumeration(const Case& at);
Sentence minimum(const Case& at);
Sentence maximum(const Case& at);
Sentence exclusive_minimum(const Case& at);
Sentence exclusive_maximum(const Case& at);
Sentence multiple_of(const Case& at);
Sentence min_length(const Case& at);
Sentence max_length(const Case& at);
Sentence pattern(const Case& at);
Sentence format(const Case& at);

// sentences_structure.cpp
Sentence min_items(const Case& at);
Sentence max_items(const Case& at);
Sentence min_properties(const Case& at);
Sentence max_properties(const Case& at);
Sentence min_contains(const Case& at);
Sentence max_contains(const Case& at);
Sentence unique_items(const Case& at);
Sentence required(const Case& at);
Sentence dependent_required(const Case& at);
Sentence unknown_property(const Case& at);
Sentence property_names(const Case& at);
Sentence additional_items(const Case& at);
Sentence unevaluated_items(const Case& at);

}  // namespace toolhost::schema::sentence
