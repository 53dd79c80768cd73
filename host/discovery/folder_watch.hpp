// Reports changes in folders once no further changes arrive.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::discovery {

class FolderWatch {
public:
    // `changed` is called on a separate thread. Folders that do not exist yet and the folders of
    // plugins are watched too. If watching is unavailable, nothing is reported and problem() says
    // why.
    FolderWatch(std::vector<std::string> folders, std::function<void()> changed);
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    // Reports a change now; thread-safe, does not wait for its effects.
    void trigger() const;
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void watch_all();
    void watch_plugin(const std::string& folder);
    void watch(const std::string& folder);
    void listen();
    [[nodiscard]] bool wait(int milliseconds) const;  // true: something changed
    void drain() const;

    const std::vector<std::string> folders_;
    const std::function<void()> changed_;
    std::string problem_;
    os::Descriptor events_, wake_;
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

}  // namespace toolhost::discovery
