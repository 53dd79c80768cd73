// Shell completion from the definitions of commands and options, so that it is always current.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

// The hidden command: toolhost __complete WORD... prints candidates for the last word, which may be
// empty. First line: "words", "files", "files@" (after an @) or "folders". For words, one candidate
// per line follows, with its description after a tab; the shell filters them. The value of
// --option=VALUE is completed without the option.
inline constexpr const char* kCompleteCommand = "__complete";

[[nodiscard]] Exit complete(const CLI::App& app, std::vector<std::string> words);

}  // namespace toolhost::cli
