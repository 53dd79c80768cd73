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
#include "host/runtime/plugin_folder.hpp"

namespace toolhost::runtime {
namespace fs = boost::filesystem;
namespace {

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

std::string hash_of(const std::string& path) {
    Descriptor file = open_regular(path);
    return file ? hash_file(file.get()) : "";
}

// What a copy is made of. Files are opened beneath the plugin's folder each time: what a name stood
// for a moment ago proves nothing.
class Source {
public:
    explicit Source(const registry::Library& library)
        : library_(library), path_(library.path), folder_(path_.parent_path().string()) {}

    // The library itself, or all of its own folder: what $ORIGIN must find there.
    Result<void> list() {
        if (!library_.own_folder) {
            files_.push_back({path_.filename().string(), library_.sha256});
            return {};
        }
        place_ = open_plugin_folder(folder_);
        if (!place_) return cannot("read the folder", folder_, errno);
        const auto entries = list_plugin_folder(folder_);
        if (entries.fault == EFBIG)
            return unavailable("the plugin's folder " + folder_ + " has more than " +
                               std::to_string(kMaxPluginEntries) + " entries or is more than " +
                               std::to_string(kMaxPluginDepth) + " levels deep");
        if (entries.fault) return cannot("read the folder", folder_, entries.fault);
        for (const auto& name : entries.names)
            if (auto added = add(name); !added) return added;
        return {};
    }

    // Named by the names and contents of all that is in it.
    [[nodiscard]] std::string identity() const {
        ContentHash all;
        for (const auto& file : files_) all.add(file.name + '\0' + file.sha256 + '\n');
        return all.hex();
    }

    Result<void> copy_to(const std::string& folder) const {
        for (const auto& file : files_) {
            const auto target = fs::path(folder) / file.name;
            boost::system::error_code fault;
            fs::create_directories(target.parent_path(), fault);
            if (fault) return cannot("copy", file.name, fault.value());
            const Descriptor from = open(file.name);
            if (!from) return cannot("copy", folder_ + '/' + file.name, errno);
            const auto copied = copy_file(from.get(), target.string());
            if (copied.empty()) return cannot("copy", folder_ + '/' + file.name, errno);
            if (copied != file.sha256)
                return unavailable(folder_ + '/' + file.name +
                                   " changed after it was looked at; try again");
        }
        return {};
    }

private:
    struct File {
        std::string name, sha256;
    };

    [[nodiscard]] Descriptor open(const std::string& name) const {
        if (!library_.own_folder) return open_regular(library_.path);
        return open_beneath(place_.get(), name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    }

    Result<void> add(const std::string& name) {
        const auto whole = folder_ + '/' + name;
        const Descriptor file = open(name);
        if (!file && leaves_folder(errno))
            return unavailable(whole +
                               " is a link that leaves the plugin's folder; replace it by "
                               "the file it means");
        struct stat info {};
        if (!file || ::fstat(file.get(), &info) != 0) return cannot("read", whole, errno);
        if (S_ISDIR(info.st_mode)) return {};
        if (!S_ISREG(info.st_mode)) return unavailable(whole + " is not a regular file");
        total_ += static_cast<std::uintmax_t>(info.st_size);
        if (total_ > kMaxPluginBytes)
            return unavailable("the plugin's folder " + folder_ + " has more than " +
                               std::to_string(kMaxPluginBytes) + " bytes");
        auto sha256 = whole == library_.path ? library_.sha256 : hash_file(file.get());
        if (sha256.empty()) return cannot("read", whole, errno);
        files_.push_back({name, std::move(sha256)});
        return {};
    }

    // The content's hash, or nothing with errno set.
    static std::string copy_file(int from, const std::string& to) {
        Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0500));
        if (!target) return "";
        ContentHash hash;
        std::uintmax_t total = 0;
        char buffer[65536];
        for (;;) {
            const ssize_t got = ::read(from, buffer, sizeof buffer);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return "";
            if (got == 0) return hash.hex();
            const std::string_view bytes(buffer, static_cast<std::size_t>(got));
            if ((total += bytes.size()) > kMaxPluginBytes) {
                errno = EFBIG;
                return "";
            }
            hash.add(bytes);
            if (!write_all(target.get(), bytes)) return "";
        }
    }

    static Error cannot(const std::string& what, const std::string& path, int fault) {
        return unavailable("cannot " + what + ' ' + path + ": " + system_message(fault));
    }

    const registry::Library& library_;
    const fs::path path_;
    const std::string folder_;
    Descriptor place_;
    std::vector<File> files_;
    std::uintmax_t total_ = 0;
};

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
    Source source(library);
    if (auto listed = source.list(); !listed) return listed.error();
    const std::string folder = *base_folder + '/' + source.identity();
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
    if (auto copied = source.copy_to(staging.path()); !copied) return copied.error();
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
