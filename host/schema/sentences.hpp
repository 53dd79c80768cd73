// One message per rule: what is required, what the value is instead, and the same as JSON.
#pragma once

#include <string>
#include <string_view>

#include "host/schema/evaluate.hpp"

namespace toolhost::schema {

struct Sentence {
    std::string must;  // "must be an integer"
    std::string but;   // ", but is the string \"three\""
    Json expected;
    Json extra = Json::object();  // further details of the issue
};

[[nodiscard]] Sentence write_sentence(Rule rule, const Node& node, const Json& value,
                                      const Facts& facts);

// The keyword as the schema spells it: "additionalProperties".
[[nodiscard]] std::string_view rule_keyword(Rule rule);

}  // namespace toolhost::schema
