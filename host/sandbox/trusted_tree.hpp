// What is known of the trusted files below the folders that a tool may write: looked for again and
// again, as they come and go, without costing each call a walk.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "host/base/mutex.hpp"
#include "host/sandbox/trusted_walk.hpp"

namespace toolhost::sandbox {

using NestedFilesPtr = std::shared_ptr<const NestedFiles>;

// Of one set of folders and names. From any thread.
class TrustedTree {
public:
    explicit TrustedTree(const Confinement& confinement);

    // As of now, or as of the last walk where that one is younger than kRest times what it took.
    // The first walk is waited for; while another thread walks, what was known before holds.
    [[nodiscard]] NestedFilesPtr look();

private:
    // So walks take at most a twentieth of one thread's time.
    static constexpr int kRest = 20;

    [[nodiscard]] NestedFilesPtr known() const;
    NestedFilesPtr walk() REQUIRES(walking_);
    void warn_of(const NestedFiles& found) REQUIRES(walking_);

    const Confinement confinement_;
    mutable Mutex mutex_;
    NestedFilesPtr known_ GUARDED_BY(mutex_);  // null: not searched yet
    std::chrono::steady_clock::time_point next_ GUARDED_BY(mutex_);
    Mutex walking_;  // held during a walk
    bool told_ GUARDED_BY(walking_) = false;
    std::set<std::string> linked_ GUARDED_BY(walking_);  // of which was warned
};

// Those of all workers: several libraries often write the same folders.
class TrustedTrees {
public:
    [[nodiscard]] std::shared_ptr<TrustedTree> of(const Confinement& confinement);

private:
    Mutex mutex_;
    std::map<std::string, std::weak_ptr<TrustedTree>> trees_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::sandbox
