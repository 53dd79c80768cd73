// A parsed JMESPath query; used by its lexer, parser and evaluator only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/query.hpp"

namespace data_tools::json {

// Thrown and caught in run_jmespath() only; the position counts bytes from 1.
struct QueryError {
    std::size_t position;
    std::string what;
};

enum class Sign {
    name,
    quoted_name,
    literal,
    number,
    dot,
    star,
    pipe,
    either,
    both,
    negation,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    open,
    close,
    open_bracket,
    close_bracket,
    open_filter,
    flatten,
    open_brace,
    close_brace,
    comma,
    colon,
    current,
    end
};

struct QueryToken {
    Sign sign;
    std::string text;  // of a name, or as written
    Value value;       // of a literal or number
    std::size_t position;
};

std::vector<QueryToken> query_tokens(std::string_view query);

enum class Step {
    current,
    field,
    literal,
    index,
    slice,
    sub,
    project,
    project_values,
    filter,
    flatten,
    pipe,
    either,
    both,
    negation,
    compare,
    list,
    hash,
    call
};

struct QueryNode;
using QueryPtr = std::unique_ptr<QueryNode>;

struct QueryNode {
    Step step;
    std::size_t position = 0;
    std::string text = {};  // a field's or function's name
    Value value = {};       // a literal
    long index = 0;
    std::optional<long> slice[3] = {};
    Sign comparison = Sign::end;
    std::vector<QueryPtr> parts = {};
    std::vector<std::string> keys = {};  // of a hash
};

QueryPtr parse_query(std::string_view query);

// Checks that the function exists with that number of arguments; throws QueryError.
void check_function(const std::string& name, std::size_t arguments, std::size_t position);
Value call_function(const QueryNode& call, const std::vector<const Value*>& arguments);

}  // namespace data_tools::json
