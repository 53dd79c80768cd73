#include "host/os/folder_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <boost/filesystem/operations.hpp>
#include <boost/filesystem/path.hpp>
#include <cerrno>
#include <cstring>

namespace toolhost::os {
namespace {

namespace fs = boost::filesystem;

constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                   IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
// A copy of several files counts as one change. A folder that keeps changing is reported anyway.
constexpr int kQuietMs = 150, kLooks = 20;

}  // namespace

FolderWatch::FolderWatch(ListFolders folders, std::function<void()> changed)
    : folders_(std::move(folders)),
      changed_(std::move(changed)),
      events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!events_ || !wake_)
        problem_ = std::string("folders cannot be watched: ") + std::strerror(errno);
    if (!wake_) return;
    watch_all();
    thread_ = std::thread([this] { listen(); });
}

FolderWatch::~FolderWatch() {
    if (!thread_.joinable()) return;
    ending_ = true;
    trigger();
    thread_.join();
}

void FolderWatch::trigger() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
}

// Adding an existing watch does nothing, so all watches are added again after every change.
void FolderWatch::watch_all() {
    for (const auto& folder : folders_()) {
        boost::system::error_code fault;
        fs::path path(folder);
        while (!fs::is_directory(path, fault) && path.has_parent_path()) path = path.parent_path();
        watch(path.string());
    }
}

void FolderWatch::watch(const std::string& folder) {
    if (events_ && ::inotify_add_watch(events_.get(), folder.c_str(), kChanges | IN_ONLYDIR) < 0 &&
        errno != ENOENT && problem_.empty())
        problem_ = folder + " cannot be watched: " + std::strerror(errno);
}

bool FolderWatch::wait(int milliseconds) const {
    std::array<pollfd, 2> both{{{events_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    while (::poll(both.data(), both.size(), milliseconds) < 0 && errno == EINTR) {
    }
    return (both[0].revents | both[1].revents) != 0;
}

void FolderWatch::drain() const {
    std::array<char, 16384> buffer;
    for (const auto* from : {&events_, &wake_})
        while (*from && ::read(from->get(), buffer.data(), buffer.size()) > 0) {
        }
}

void FolderWatch::listen() {
    while (wait(-1) && !ending_) {
        drain();
        for (int looks = 0; looks < kLooks && wait(kQuietMs) && !ending_; ++looks) drain();
        if (ending_) return;
        watch_all();
        changed_();
    }
}

}  // namespace toolhost::os
