// Displays the result of `call`.
#pragma once

#include "host/base/error.hpp"
#include "host/call/tool_use.hpp"

namespace toolhost::cli {

enum class Form { text, json, line };  // line: one JSON line among others

// Prints it and returns its exit code. `again` is the command to repeat the call with an answer, if
// the tool waits for one.
Exit print_result(const call::ToolResult& result, Form form, const std::string& again = "");

// Prints counters per tool on stderr, as a table or JSON.
void print_stats(const Json& stats, bool json);

}  // namespace toolhost::cli
