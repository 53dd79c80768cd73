// Selects a part of a JSON value: by a JSON Pointer (/a/0/b), or an expression in the JMESPath
// language (a.b[0], items[*].name, [?price > `10`], a || b, keys(@)). Everything of JMESPath is
// supported except expression references (&) and functions that are not in query_functions.cpp.
#pragma once

#include <string_view>

#include "json/document.hpp"
#include "outcome.hpp"

namespace data_tools::json {

inline constexpr std::size_t max_query_bytes = 1000;
inline constexpr int max_query_nesting = 50;
// Limits values created during evaluation: [@,@] | [@,@] | ... doubles with every step.
inline constexpr std::size_t max_query_work = 2'000'000;

// Failures contain the position in the query. A missing path is a failure for a pointer, and null
// for JMESPath, as each language specifies.
Outcome<Value> run_query(std::string_view query, const Value& value);

Outcome<Value> run_pointer(std::string_view query, const Value& value);
Outcome<Value> run_jmespath(std::string_view query, const Value& value);

}  // namespace data_tools::json
