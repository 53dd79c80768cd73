#include "host/os/temp_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/filesystem/operations.hpp>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "host/os/descriptor.hpp"

namespace toolhost::os {
namespace fs = boost::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using Listing = std::unique_ptr<DIR, int (*)(DIR*)>;

// The folder itself, never what a link leads to. A plugin may have made it inaccessible.
Listing open_listing(int parent, const char* name) {
    constexpr int kHow = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = ::openat(parent, name, kHow);
    if (fd < 0 && errno == EACCES && ::fchmodat(parent, name, S_IRWXU, 0) == 0)
        fd = ::openat(parent, name, kHow);
    if (fd >= 0) static_cast<void>(::fchmod(fd, S_IRWXU));  // else what is in it stays
    DIR* listing = fd < 0 ? nullptr : ::fdopendir(fd);
    if (fd >= 0 && !listing) ::close(fd);
    return {listing, &::closedir};
}

// Empties a folder. A folder within it is not gone into: its own folders are moved up beside it, so
// that a tree costs no more for being deep, and no path becomes too long.
class Emptying {
public:
    Emptying(DIR* top, Clock::time_point until) : top_(top), fd_(::dirfd(top)), until_(until) {}

    // False: the time is over, or something cannot be removed.
    bool run() {
        for (bool changed = true; changed;) {
            changed = false;
            ::rewinddir(top_);
            while (const dirent* entry = next(top_)) {
                if (Clock::now() > until_) return false;
                if (remove(fd_, entry->d_name))
                    changed = true;
                else if (flatten(entry->d_name))
                    changed = true;
            }
        }
        ::rewinddir(top_);
        return next(top_) == nullptr;
    }

private:
    static const dirent* next(DIR* listing) {
        const dirent* entry = ::readdir(listing);
        while (entry &&
               (std::string_view(entry->d_name) == "." || std::string_view(entry->d_name) == ".."))
            entry = ::readdir(listing);
        return entry;
    }
    static bool remove(int parent, const char* name) {
        return ::unlinkat(parent, name, 0) == 0 || ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
    }
    // Whether anything in it is gone from there.
    bool flatten(const char* name) {
        const auto listing = open_listing(fd_, name);
        if (!listing) return false;
        bool changed = false;
        while (const dirent* entry = next(listing.get())) {
            if (Clock::now() > until_) return changed;
            const int below = ::dirfd(listing.get());
            const auto moved = ".moved-" + std::to_string(++moved_);
            changed = remove(below, entry->d_name) ||
                      ::renameat(below, entry->d_name, fd_, moved.c_str()) == 0 || changed;
        }
        return ::unlinkat(fd_, name, AT_REMOVEDIR) == 0 || changed;
    }

    DIR* const top_;
    const int fd_;
    const Clock::time_point until_;
    std::uint64_t moved_ = 0;
};

}  // namespace

std::vector<std::string> private_folders() {
    // The sandbox follows no links.
    const auto real = [](const fs::path& folder) {
        boost::system::error_code fault;
        const auto found = fs::canonical(folder, fault);
        return fault ? "" : found.string();
    };
    const auto name = "/toolhost-" + std::to_string(::geteuid());
    std::vector<std::string> out;
    if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/')
        if (const auto folder = real(runtime); !folder.empty()) out.push_back(folder + name);
    boost::system::error_code fault;
    const auto temp = fs::temp_directory_path(fault);
    const auto folder = fault ? "" : real(temp);
    out.push_back((folder.empty() ? "/tmp" : folder) + name);
    return out;
}

bool make_private_folder(const std::string& folder) {
    if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) return false;
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0) return false;
    if (S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
        (info.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return true;
    errno = EPERM;
    return false;
}

std::string make_temp_folder() {
    // Another user may have taken the name in TMPDIR.
    const auto folders = private_folders();
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
        std::string name = *folder + "/worker-XXXXXX";
        if (make_private_folder(*folder) && ::mkdtemp(name.data())) return name;
    }
    return "";
}

bool remove_temp_folder(const std::string& folder, std::chrono::milliseconds most) {
    {
        const auto top = open_listing(AT_FDCWD, folder.c_str());
        if (!top) return errno == ENOENT;
        if (!Emptying(top.get(), Clock::now() + most).run()) return false;
    }
    return ::rmdir(folder.c_str()) == 0;
}

}  // namespace toolhost::os
