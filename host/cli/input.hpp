// A tool's input on the command line: JSON, -, @file, or key=value pairs typed by the schema.
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

// `words` follow the tool's reference. Without words the input is {}.
//   {"a": 1}       the whole input          -        the whole input from `standard_input`
//   @file.json     the whole input, from a file
//   key=value      typed by the schema; key=value again appends to an array of the schema
//   a.b=value      nests                    key=@file   the file's text
//   key:=json      raw JSON                 key\=x=1    an = in the key; \. a dot
[[nodiscard]] boost::system::result<Json, InputFault> read_input(
    const std::vector<std::string>& words, const Json& schema, std::istream& standard_input);

// Follows local references of a schema: {"$ref": "#/$defs/Point"}.
[[nodiscard]] const Json& followed(const Json& schema, const Json& root);

// Reads a file, or `standard_input` if it is "-"; limited in size.
[[nodiscard]] boost::system::result<std::string, InputFault> read_text(
    const std::string& file, std::istream& standard_input);

// Converts one value: "5" becomes 5 if the schema allows an integer. A value that fits no type
// stays text, so that the schema reports the error.
[[nodiscard]] Json typed_value(const std::string& text, const Json& schema, const Json& root);

}  // namespace toolhost::cli
