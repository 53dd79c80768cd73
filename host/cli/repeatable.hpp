// Options that may be given several times.
#pragma once

#include <CLI/Option.hpp>

namespace toolhost::cli {

// One value each time: otherwise CLI11 takes all following words, such as the tool's input.
inline CLI::Option* repeatable(CLI::Option* option) {
    return option->expected(1)->take_all()->allow_extra_args(false);
}

}  // namespace toolhost::cli
