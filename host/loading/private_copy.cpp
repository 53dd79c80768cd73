#include "host/loading/private_copy.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>
#include <chrono>

#include "host/loading/library_files.hpp"
#include "host/os/descriptor.hpp"
#include "host/os/temp_folder.hpp"

namespace toolhost::loading {
namespace fs = boost::filesystem;
namespace {

// Unused copies are removed after this time.
constexpr std::time_t kKeepUnusedSeconds = 30 * 24 * 3600;

Error unavailable(std::string message) {
    return {ErrorCode::plugin_unavailable, std::move(message), {}};
}

// Models read the message, so folders of this machine are only logged.
Error unavailable(std::string message, const std::string& why) {
    spdlog::warn("{}: {}", message, why);
    return unavailable(std::move(message) + "; see the log of toolhost");
}

// Whether the folder is ours, not writable by others, and code may be mapped from it.
bool usable(const std::string& folder) {
    struct stat info {};
    struct statvfs mount {};
    boost::system::error_code fault;
    fs::create_directories(fs::path(folder).parent_path(), fault);
    ::mkdir(folder.c_str(), 0700);  // independent of the umask
    return ::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == ::geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           ::access(folder.c_str(), W_OK) == 0 && ::statvfs(folder.c_str(), &mount) == 0 &&
           (mount.f_flag & ST_NOEXEC) == 0;
}

// A folder that is removed unless it was moved to its final place.
class Staging {
public:
    explicit Staging(const std::string& base) : path_(base + "/.new-XXXXXX") {
        if (!::mkdtemp(path_.data())) path_.clear();
    }
    ~Staging() {
        boost::system::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

// Matches only entries that this file creates: the folder may contain others.
bool is_copy(const std::string& name) {
    return name.starts_with(".new-") || is_identity(name);
}

void remove_unused(const std::string& base) {
    boost::system::error_code fault;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    for (fs::directory_iterator it(base, fault), end; !fault && it != end; it.increment(fault)) {
        boost::system::error_code ignored;
        if (!is_copy(it->path().filename().string())) continue;
        if (fs::last_write_time(it->path(), ignored) + kKeepUnusedSeconds < now && !ignored)
            fs::remove_all(it->path(), ignored);
    }
}

// Returns false for a damaged or incomplete copy.
bool is_intact(const std::string& copy, const registry::Library& library) {
    const auto identity = library_identity(copy, library.own_folder);
    return identity && *identity == library.identity;
}

}  // namespace

PrivateCopies::PrivateCopies(std::string folder) : folder_(std::move(folder)) {}

PrivateCopies::~PrivateCopies() {
    boost::system::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Result<std::string> PrivateCopies::base() {
    MutexLock lock(mutex_);
    if (!temporary_.empty()) return temporary_;
    if (!folder_.empty() && usable(folder_)) return folder_;
    for (const auto& parent : os::private_folders()) {
        std::string path = parent + "/copies-XXXXXX";
        if (!os::make_private_folder(parent) || !::mkdtemp(path.data())) continue;
        if (usable(path)) return temporary_ = path;
        ::rmdir(path.c_str());
    }
    return unavailable(
        "no folder to load plugins from: set TOOLHOST_CACHE to one that is writable "
        "and not mounted noexec",
        folder_ + " and the temporary folder are not writable or mounted noexec");
}

Result<std::string> PrivateCopies::of(const registry::Library& library) {
    if (!is_identity(library.identity)) return unavailable(library.name() + " was not scanned");
    auto base_folder = base();
    if (!base_folder) return base_folder.error();
    const std::string folder = *base_folder + '/' + library.identity;
    const std::string loaded = folder + '/' + fs::path(library.path).filename().string();
    if (is_intact(loaded, library)) {
        ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);  // marks it as used; see remove_unused
        return loaded;
    }

    LibraryFiles source(library.path, library.own_folder);
    if (auto read = source.read(); !read) return read.error();
    if (source.identity() != library.identity)
        return unavailable(library.name() +
                           (library.own_folder ? ", or a file in its folder," : "") +
                           " changed after it was scanned; try again");
    remove_unused(*base_folder);
    const std::string cannot_copy = library.name() + " cannot be copied to toolhost's cache";
    Staging staging(*base_folder);
    if (staging.path().empty())
        return unavailable(cannot_copy,
                           "no folder in " + *base_folder + ": " + os::system_message(errno));
    if (auto copied = source.copy_to(staging.path()); !copied) return copied.error();
    if (::rename(staging.path().c_str(), folder.c_str()) == 0) return loaded;
    if (is_intact(loaded, library)) return loaded;  // another process was faster
    boost::system::error_code fault;
    fs::remove_all(folder, fault);  // a damaged copy
    if (::rename(staging.path().c_str(), folder.c_str()) != 0)
        return unavailable(cannot_copy, "no move to " + folder + ": " + os::system_message(errno));
    return loaded;
}

}  // namespace toolhost::loading
