// A tool's input as people type it: JSON, -, @file, or key=value pairs typed by the schema.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

struct InputFault {
    Exit exit = Exit::invalid;
    std::string message;
    ErrorCode code = ErrorCode::invalid_input;
};

// `words` are what stands behind the tool's reference. No words: {}.
//   {"a": 1}       the whole input          -        the whole input from `standard_input`
//   @file.json     the whole input, from a file
//   key=value      typed by the schema; key=value again appends where the schema says array
//   a.b=value      nests                    key=@file   the file's text
//   key:=json      raw JSON                 key\=x=1    an = in the key; \. a dot
[[nodiscard]] boost::system::result<Json, InputFault> read_input(
    const std::vector<std::string>& words, const Json& schema, std::istream& standard_input);

// Where a schema's local references lead: {"$ref": "#/$defs/Point"}; itself where it has none.
[[nodiscard]] const Json& followed(const Json& schema, const Json& root);

// The text of a file, or of `standard_input` if it is "-"; bounded.
[[nodiscard]] boost::system::result<std::string, InputFault> read_text(
    const std::string& file, std::istream& standard_input);

// One typed value: "5" is 5 where the schema says integer, and stays text where it fits nothing,
// so that the schema's own message names the trouble.
[[nodiscard]] Json typed_value(const std::string& text, const Json& schema, const Json& root);

}  // namespace toolhost::cli
