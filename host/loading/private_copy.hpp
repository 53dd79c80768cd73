// The loader caches files by path and inode, so a replaced plugin would run its old code, and an
// overwritten one would crash. Therefore plugins are loaded from a private copy that is named by
// the library's identity, never from the plugin folder.
#pragma once

#include <string>

#include "host/base/mutex.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::loading {

class PrivateCopies {
public:
    // `folder` holds the copies across runs. If it is unusable (not writable, mounted noexec), a
    // temporary folder of this user is used and removed at the end.
    explicit PrivateCopies(std::string folder);
    ~PrivateCopies();
    PrivateCopies(const PrivateCopies&) = delete;
    PrivateCopies& operator=(const PrivateCopies&) = delete;

    // Returns the path to load the library from. Creates a copy if none is intact, and fails if the
    // files have changed since the scan.
    [[nodiscard]] Result<std::string> of(const registry::Library& library);

private:
    [[nodiscard]] Result<std::string> base();

    std::string folder_;
    Mutex mutex_;  // libraries are opened from many threads
    std::string temporary_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::loading
