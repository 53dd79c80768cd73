// Tells when something in some folders has changed, once it is quiet again.
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
    // `changed` is called on a thread of its own. Folders that do not exist yet are waited for, and
    // those of plugins within them are watched, too. Where the system cannot tell, nothing is ever
    // told, and problem() says why.
    FolderWatch(std::vector<std::string> folders, std::function<void()> changed);
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;

    // As if something had changed; from any thread, without waiting for what comes of it.
    void look_again() const;
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    void watch_all();
    void watch_plugin(const std::string& folder);
    void watch(const std::string& folder);
    void listen();
    [[nodiscard]] bool wait(int milliseconds) const;  // true: something happened
    void drain() const;

    const std::vector<std::string> folders_;
    const std::function<void()> changed_;
    std::string problem_;
    os::Descriptor events_, wake_;
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

}  // namespace toolhost::discovery
