// Reports changes in folders, once they are quiet again.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::os {

class FolderWatch {
public:
    // The folders to watch. Called when the watch begins, and on its thread after every change.
    using ListFolders = std::function<std::vector<std::string>()>;

    // `changed` is called on the watch's thread. For a folder that does not exist, its nearest
    // existing parent is watched. If the system cannot watch, `changed` is called by trigger()
    // only, and problem() says why.
    FolderWatch(ListFolders folders, std::function<void()> changed);
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    // Reports a change now. From any thread; does not wait for `changed`.
    void trigger() const;
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void watch_all();
    void watch(const std::string& folder);
    void listen();
    [[nodiscard]] bool wait(int milliseconds) const;  // true: something changed
    void drain() const;

    const ListFolders folders_;
    const std::function<void()> changed_;
    std::string problem_;  // written before the thread starts
    Descriptor events_, wake_;
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

}  // namespace toolhost::os
