// The table of tools, which the welcome shows too.
#pragma once

#include <ostream>

#include "host/cli/open_host.hpp"

namespace toolhost::cli {

struct ListFilter {
    std::string category, family;
    bool deprecated = false;  // only those
    bool all = false;         // shadowed, deprecated and unusable ones too
};

void print_table(std::ostream& out, core::Host& host, const ListFilter& filter);
// A library must not vanish without a word.
void warn_of_refused(const core::Host& host, const Options& options);
// No tools: where they were looked for.
void print_folders(std::ostream& out, const core::Host& host);

}  // namespace toolhost::cli
