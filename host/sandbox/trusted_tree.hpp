// The trusted files below the folders that a tool may write. They are searched repeatedly, as they
// may change, without a walk for each call.
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

// For one set of folders and names. Thread-safe.
class TrustedTree {
public:
    explicit TrustedTree(const Confinement& confinement,
                         std::shared_ptr<FoundFiles> files = std::make_shared<FoundFiles>());

    // Returns the current files, or those of the last walk if it is younger than kRest times its
    // duration. Waits for the first walk; while another thread walks, returns the previous result.
    // Null if the deadline passed or the call was cancelled before a walk ended.
    [[nodiscard]] NestedFilesPtr look(const os::Deadline& deadline = {},
                                      const std::stop_token& cancel = {});
    // Returns the result of the last walk, or null.
    [[nodiscard]] NestedFilesPtr known() const;

private:
    // Walks take at most a twentieth of one thread's time.
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
    // Used by the walking thread.
    bool warned_ = false;
    std::set<std::string> linked_;  // already warned about
};

// The trees of all workers: several libraries often write the same folders. Trees outlive workers.
class TrustedTrees {
public:
    static constexpr std::size_t kMax = 64;

    [[nodiscard]] std::shared_ptr<TrustedTree> of(const Confinement& confinement);
    [[nodiscard]] std::size_t size() const;

private:
    mutable Mutex mutex_;
    std::map<std::string, std::shared_ptr<TrustedTree>> trees_ GUARDED_BY(mutex_);
    // Includes files of trees for other folders or names, and of removed trees.
    const std::shared_ptr<FoundFiles> files_ = std::make_shared<FoundFiles>();
};

}  // namespace toolhost::sandbox
