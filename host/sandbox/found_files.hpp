// Trusted files that walks have found, kept while the host runs: a later walk may not reach them,
// because a tool can create more files than a walk visits.
#pragma once

#include <set>
#include <string>

#include "host/base/mutex.hpp"
#include "host/sandbox/trusted_walk.hpp"

namespace toolhost::sandbox {

// For all folders and names. Thread-safe.
class FoundFiles {
public:
    // Stores `found`, and adds to it known files of `confinement` that still exist, including
    // `before`, the previous result for the same confinement.
    void merge(const Confinement& confinement, const NestedFiles& before, NestedFiles& found);

private:
    Mutex mutex_;
    std::set<std::string> paths_ GUARDED_BY(mutex_), locked_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::sandbox
