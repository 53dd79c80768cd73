// Options that may be given several times.
#pragma once

#include <CLI/Option.hpp>

namespace toolhost::cli {

// One value each time: CLI11 would else take all words that follow, a tool's input among them.
inline CLI::Option* repeatable(CLI::Option* option) {
    return option->expected(1)->take_all()->allow_extra_args(false);
}

}  // namespace toolhost::cli
