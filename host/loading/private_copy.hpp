// The loader remembers files by path and inode, so a replaced plugin would run its old code, and an
// overwritten one would crash. Hence nothing is loaded from the plugin folder: a private copy,
// named by the library's identity, is.
#pragma once

#include <string>

#include "host/base/mutex.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::loading {

class PrivateCopies {
public:
    // `folder` holds the copies over runs; if it is unusable (not writable, mounted noexec) a
    // temporary one is made in a private folder of this user, and removed in the end.
    explicit PrivateCopies(std::string folder);
    ~PrivateCopies();
    PrivateCopies(const PrivateCopies&) = delete;
    PrivateCopies& operator=(const PrivateCopies&) = delete;

    // The path to load the library from. Without an intact copy one is made, which is refused if
    // the files are no longer those that were scanned.
    [[nodiscard]] Result<std::string> of(const registry::Library& library);

private:
    [[nodiscard]] Result<std::string> base();

    std::string folder_;
    Mutex mutex_;  // libraries are opened from many threads
    std::string temporary_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::loading
