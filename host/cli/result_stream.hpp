// stdout is for results alone. A plugin in this process may print whatever it likes to descriptor
// 1: that goes to stderr, and results go to where stdout really leads.
#pragma once

namespace toolhost::cli {

// Once, before anything is printed: std::cout then writes to a descriptor of our own.
void keep_stdout_for_results();

// The descriptor results go to: 1 until the above was called.
[[nodiscard]] int result_descriptor();

}  // namespace toolhost::cli
