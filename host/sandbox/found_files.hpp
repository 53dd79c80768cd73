// Trusted files that walks have found, kept while the host runs: a later walk may not reach them,
// since a tool can fill a folder until a bound is reached.
#pragma once

#include <set>
#include <string>

#include "host/base/mutex.hpp"
#include "host/sandbox/trusted_walk.hpp"

namespace toolhost::sandbox {

// Of all folders and names. From any thread.
class FoundFiles {
public:
    // Keeps what was found, and adds to it what still exists of what is known for `confinement`,
    // `before` included: what was found for the same confinement before.
    void merge(const Confinement& confinement, const NestedFiles& before, NestedFiles& found);

private:
    Mutex mutex_;
    std::set<std::string> paths_ GUARDED_BY(mutex_), locked_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::sandbox
