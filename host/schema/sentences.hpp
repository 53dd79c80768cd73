// One sentence per rule: what must hold, what is there instead, and the same as JSON.
#pragma once

#include <string>
#include <string_view>

#include "host/schema/evaluate.hpp"

namespace toolhost::schema {

struct Sentence {
    std::string must;  // "must be an integer"
    std::string but;   // ", but is the string \"three\""
    Json expected;
    Json extra = Json::object();  // what the rule adds to an issue's details
};

[[nodiscard]] Sentence write_sentence(Rule rule, const Node& node, const Json& value,
                                      const Facts& facts);

// As the schema spells it: "additionalProperties".
[[nodiscard]] std::string_view rule_keyword(Rule rule);

}  // namespace toolhost::schema
