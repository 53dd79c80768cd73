// Lists the candidates of a folder: files named like libraries, and whether they may be inspected.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

struct FolderListing {
    std::string folder;
    std::string problem;              // why the folder could not be read, or empty
    std::vector<Finding> candidates;  // by file name; `reason` is set for a refused one
};

// Runs no foreign code and opens no file. A missing folder counts as empty.
[[nodiscard]] FolderListing list_candidates(const std::string& folder);

// Stamps `candidate` and refuses it without opening the file: broken links, devices and pipes,
// files that other users own or can write.
void check_from_outside(Finding& finding);

[[nodiscard]] FileStamp stamp_of(const struct stat& info);

}  // namespace toolhost::discovery
