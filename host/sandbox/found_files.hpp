// Trusted files that walks have found, kept while the host runs: a later walk may not reach them,
// since a tool can fill a folder until a bound is reached.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "host/sandbox/trusted_walk.hpp"

namespace toolhost::sandbox {

// Of all folders and names. From any thread.
class FoundFiles {
public:
    // Keeps what was found, and adds to it what still exists of what is known for `confinement`,
    // `before` included: what was found for the same confinement before.
    void merge(const Confinement& confinement, const NestedFiles& before, NestedFiles& found);

private:
    std::mutex mutex_;
    std::set<std::string> paths_, locked_;
};

}  // namespace toolhost::sandbox
