// stdout is for results alone. A plugin in this process may print whatever it likes to descriptor
// 1: that goes to stderr, and results go to where stdout really leads.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::cli {

// Once, before anything is printed: results() and std::cout then write to a descriptor of our own.
void keep_stdout_for_results();

// The descriptor results go to: 1 until the above was called.
[[nodiscard]] int result_descriptor();
[[nodiscard]] bool results_on_terminal();

// Text of a tool as it is printed to stdout: control characters made visible on a terminal, the
// text itself where a program reads it.
[[nodiscard]] std::string result_text(std::string_view text);
// One JSON document; `indent` -1 is one line.
void print_json(const Json& value, int indent = 2);

// A stream to that descriptor.
[[nodiscard]] std::ostream& results();

// Before plugin code is loaded into this process: C++ plugins share std::cout with us, so from now
// on what is printed there goes to stderr, and only results() are results.
void leave_cout_to_plugins();

}  // namespace toolhost::cli
