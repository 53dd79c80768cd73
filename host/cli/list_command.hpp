// The table of tools, which the welcome prints too.
#pragma once

#include <ostream>

#include "host/cli/open_host.hpp"

namespace toolhost::cli {

struct ListFilter {
    std::string category, family;
    bool deprecated = false;  // deprecated ones only
    bool all = false;         // include shadowed, deprecated and unusable ones
};

void print_table(std::ostream& out, core::Host& host, const ListFilter& filter);
// Warns about refused libraries, so that none is missing silently.
void warn_of_refused(const core::Host& host, const Options& options);
// Without tools: lists the folders that were searched.
void print_folders(std::ostream& out, const core::Host& host);

}  // namespace toolhost::cli
