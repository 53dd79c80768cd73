// Folder to candidates: what has a library's name, and whether it may be looked into at all.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

struct FolderListing {
    std::string folder;
    std::string problem;              // why it could not be read, or empty
    std::vector<Finding> candidates;  // by file name; `reason` is set if it is refused unread
};

// Runs no foreign code and reads no file. A missing folder is an empty one.
[[nodiscard]] FolderListing list_candidates(const std::string& folder);

// Stamps `candidate` and refuses what must not be looked into: links that lead nowhere, devices and
// pipes, files of strangers or that others can write.
void check_from_outside(Finding& finding);

[[nodiscard]] FileStamp stamp_of(const struct stat& info);

}  // namespace toolhost::discovery
