// Reserves stdout for results. A plugin in this process may write to descriptor 1, which then leads
// to stderr; results go to the real stdout.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::cli {

// Called once, before any output: results() and std::cout then write to a private descriptor.
void keep_stdout_for_results();

// The descriptor of results: 1 until the function above was called.
[[nodiscard]] int result_descriptor();
[[nodiscard]] bool results_on_terminal();

// Text of a tool for stdout: control characters are made visible on a terminal, and kept if a
// program reads it.
[[nodiscard]] std::string result_text(std::string_view text);
// Prints one JSON document; `indent` -1 prints it on one line.
void print_json(const Json& value, int indent = 2);

// A stream to that descriptor.
[[nodiscard]] std::ostream& results();

// Called before plugin code is loaded into this process. C++ plugins share std::cout with the host,
// so its output goes to stderr from now on, and only results() prints results.
void redirect_cout_to_stderr();

}  // namespace toolhost::cli
