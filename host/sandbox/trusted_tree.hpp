// What is known of the trusted files below the folders that a tool may write: looked for again and
// again, as they come and go, without costing each call a walk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "host/base/mutex.hpp"
#include "host/sandbox/found_files.hpp"
#include "host/sandbox/trusted_walk.hpp"

namespace toolhost::sandbox {

using NestedFilesPtr = std::shared_ptr<const NestedFiles>;

// Of one set of folders and names. From any thread.
class TrustedTree {
public:
    explicit TrustedTree(const Confinement& confinement,
                         std::shared_ptr<FoundFiles> files = std::make_shared<FoundFiles>());

    // As of now, or as of the last walk where that one is younger than kRest times what it took.
    // The first walk is waited for; while another thread walks, what was known before holds.
    // Null: the deadline was over or the call was cancelled before a walk had ended.
    [[nodiscard]] NestedFilesPtr look(const os::Deadline& deadline = {},
                                      const std::stop_token& cancel = {});
    // As of the last walk; null: there was none.
    [[nodiscard]] NestedFilesPtr known() const;

private:
    // So walks take at most a twentieth of one thread's time.
    static constexpr int kRest = 20;
    class Turn;

    [[nodiscard]] NestedFilesPtr walk(const WalkEnd& end, const NestedFiles& before);
    void warn_of(const NestedFiles& found);

    const Confinement confinement_;
    const std::shared_ptr<FoundFiles> files_;
    mutable Mutex mutex_;
    std::condition_variable_any changed_;      // walking_
    NestedFilesPtr known_ GUARDED_BY(mutex_);  // null: not searched yet
    std::chrono::steady_clock::time_point next_ GUARDED_BY(mutex_);
    bool walking_ GUARDED_BY(mutex_) = false;
    // Of the thread that walks.
    bool told_ = false;
    std::set<std::string> linked_;  // of which was warned
};

// Those of all workers: several libraries often write the same folders. They stay when the workers
// have ended.
class TrustedTrees {
public:
    static constexpr std::size_t kMost = 64;

    [[nodiscard]] std::shared_ptr<TrustedTree> of(const Confinement& confinement);
    [[nodiscard]] std::size_t size() const;

private:
    mutable Mutex mutex_;
    std::map<std::string, std::shared_ptr<TrustedTree>> trees_ GUARDED_BY(mutex_);
    // Of trees for other folders or names, and of those that had to go, too.
    const std::shared_ptr<FoundFiles> files_ = std::make_shared<FoundFiles>();
};

}  // namespace toolhost::sandbox
