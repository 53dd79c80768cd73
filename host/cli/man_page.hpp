// Generates the manual page from its template and the definitions of commands and options, so that
// it is always current.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "host/base/error.hpp"

namespace toolhost::cli {

// The hidden command: toolhost __man TEMPLATE PAGE replaces these lines of the template:
//   @synopsis@              one entry for each command
//   @options COMMAND...@    a list of the command's options; without COMMAND, the global ones
// A command with options that the template does not list is an error, so that no command can be
// forgotten.
inline constexpr const char* kManCommand = "__man";

[[nodiscard]] Exit write_man_page(const CLI::App& app, const std::string& page,
                                  const std::string& file);

}  // namespace toolhost::cli
