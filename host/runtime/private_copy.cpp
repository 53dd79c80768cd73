#include "host/runtime/private_copy.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "host/runtime/content_hash.hpp"
#include "host/runtime/descriptor.hpp"

namespace toolhost::runtime {
namespace fs = boost::filesystem;
namespace {

// A plugin's own folder is copied whole, so it must be of a size that somebody meant.
constexpr std::size_t kMaxFolderFiles = 256;
constexpr std::uintmax_t kMaxCopyBytes = 1u << 30;
// Copies of versions that nobody loads any more.
constexpr std::time_t kKeepUnusedSeconds = 30 * 24 * 3600;

Error unavailable(std::string message) {
    return {ErrorCode::plugin_unavailable, std::move(message), {}};
}

// Ours, not writable by others, and code may be mapped from it.
bool usable(const std::string& folder) {
    struct stat info {};
    struct statvfs mount {};
    boost::system::error_code fault;
    fs::create_directories(fs::path(folder).parent_path(), fault);
    ::mkdir(folder.c_str(), 0700);  // whatever the umask lets groups do
    return ::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == ::geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           ::access(folder.c_str(), W_OK) == 0 && ::statvfs(folder.c_str(), &mount) == 0 &&
           (mount.f_flag & ST_NOEXEC) == 0;
}

struct Copied {
    std::string sha256;
    int fault = 0;
};

Copied copy_file(const std::string& from, const std::string& to) {
    Descriptor source = open_for_reading(from);
    if (!source) return {"", errno};
    Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0500));
    if (!target) return {"", errno};
    ContentHash hash;
    std::uintmax_t total = 0;
    char buffer[65536];
    for (;;) {
        ssize_t got = ::read(source.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return {"", errno};
        if (got == 0) return {hash.hex(), 0};
        std::string_view bytes(buffer, static_cast<std::size_t>(got));
        if ((total += bytes.size()) > kMaxCopyBytes) return {"", EFBIG};
        hash.add(bytes);
        if (!write_all(target.get(), bytes)) return {"", errno};
    }
}

// The library itself, or all files of its own folder and below: what $ORIGIN must find there.
Result<std::vector<fs::path>> files_of(const registry::Library& library) {
    std::vector<fs::path> files;
    if (!library.own_folder) return std::vector<fs::path>{library.path};
    boost::system::error_code fault;
    const auto folder = fs::path(library.path).parent_path();
    for (fs::recursive_directory_iterator it(folder, fault), end; !fault && it != end;
         it.increment(fault)) {
        if (!fs::is_regular_file(it->path(), fault)) continue;
        files.push_back(it->path());
        if (files.size() > kMaxFolderFiles)
            return unavailable("the plugin's folder " + folder.string() + " has more than " +
                               std::to_string(kMaxFolderFiles) + " files");
    }
    if (fault)
        return unavailable("cannot read the folder of " + library.path + ": " + fault.message());
    std::sort(files.begin(), files.end());
    return files;
}

// A folder that vanishes unless it was moved to its final place.
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

// Only what this file made: the folder may be somebody's own.
bool is_copy(const std::string& name) {
    return name.starts_with(".new-") ||
           (name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos);
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

std::string hash_of(const std::string& path) {
    Descriptor file = open_for_reading(path);
    return file ? hash_file(file.get()) : "";
}

}  // namespace

PrivateCopies::PrivateCopies(std::string folder) : folder_(std::move(folder)) {}

PrivateCopies::~PrivateCopies() {
    boost::system::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Result<std::string> PrivateCopies::base() {
    std::lock_guard lock(mutex_);
    if (!temporary_.empty()) return temporary_;
    if (!folder_.empty() && usable(folder_)) return folder_;
    for (const char* variable : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
        const char* parent = std::getenv(variable);
        std::string path = std::string(parent ? parent : "/tmp") + "/toolhost-XXXXXX";
        if (!::mkdtemp(path.data())) continue;
        if (usable(path)) return temporary_ = path;
        ::rmdir(path.c_str());
    }
    return unavailable("no folder to load plugins from: " + folder_ +
                       " and the temporary folder are not writable or mounted noexec; set "
                       "TOOLHOST_CACHE to one that is neither");
}

Result<std::string> PrivateCopies::of(const registry::Library& library) {
    auto base_folder = base();
    if (!base_folder) return base_folder.error();
    auto files = files_of(library);
    if (!files) return files.error();

    // Named by the names and contents of all that is in it.
    const auto origin = fs::path(library.path).parent_path();
    auto name_in_copy = [&](const fs::path& file) {
        return file.lexically_relative(origin).string();
    };
    ContentHash all;
    for (const auto& file : *files) {
        const auto content = file == library.path ? library.sha256 : hash_of(file.string());
        all.add(name_in_copy(file) + '\0' + content + '\n');
    }
    const std::string folder = *base_folder + '/' + all.hex();
    const std::string loaded = folder + '/' + fs::path(library.path).filename().string();
    if (hash_of(loaded) == library.sha256) {
        ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);  // used now; see remove_unused
        return loaded;
    }

    remove_unused(*base_folder);
    Staging staging(*base_folder);
    if (staging.path().empty())
        return unavailable("cannot make a folder in " + *base_folder + ": " +
                           system_message(errno));
    for (const auto& file : *files) {
        const auto target = fs::path(staging.path()) / name_in_copy(file);
        boost::system::error_code unmade;
        fs::create_directories(target.parent_path(), unmade);
        auto copied = copy_file(file.string(), target.string());
        if (copied.fault)
            return unavailable("cannot copy " + file.string() + ": " +
                               system_message(copied.fault));
        if (file == library.path && copied.sha256 != library.sha256)
            return unavailable(library.path + " changed after it was looked at; try again");
    }
    if (::rename(staging.path().c_str(), folder.c_str()) == 0) return loaded;
    if (hash_of(loaded) == library.sha256) return loaded;  // another process was quicker
    boost::system::error_code fault;
    fs::remove_all(folder, fault);  // a damaged copy
    if (::rename(staging.path().c_str(), folder.c_str()) != 0)
        return unavailable("cannot move the copy of " + library.path + " to " + folder + ": " +
                           system_message(errno));
    return loaded;
}

}  // namespace toolhost::runtime
