#include "host/discovery/command_search.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cstdlib>
#include <string_view>

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

// Each completes a sentence about the program.
constexpr const char* kRelative = "its PATH entry is relative or empty";
constexpr const char* kInWorkspace = "it is in the workspace or in a folder that tools can write";
constexpr const char* kOtherOwner = "it, or a folder above it, belongs to another user";
constexpr const char* kWritable = "it, or a folder above it, is writable by others";

bool is_within(const fs::path& path, const fs::path& folder) {
    return (path.string() + '/').starts_with(folder == "/" ? "/" : folder.string() + '/');
}

bool is_systems(const fs::path& path) {
    return is_within(path, "/usr") || is_within(path, "/bin") || is_within(path, "/sbin");
}

// The system's own programs are allowed even if the workspace is the whole machine.
bool in_workspace(const fs::path& path, const std::vector<std::string>& writable) {
    for (const auto& place : writable) {
        if (place == "/" && is_systems(path)) continue;
        boost::system::error_code fault;
        const auto real = fs::canonical(place, fault);
        if (is_within(path, fs::path(place).lexically_normal()) ||
            (!fault && is_within(path, real)))
            return true;
    }
    return false;
}

// The groups of root and of the user, which usually has no other member, may write.
std::string untrusted_entry(const struct stat& info) {
    if (info.st_uid != 0 && info.st_uid != ::geteuid()) return kOtherOwner;
    const bool foreign_group = info.st_gid != 0 && info.st_gid != ::getegid();
    if ((info.st_mode & S_IWOTH) || (foreign_group && (info.st_mode & S_IWGRP))) return kWritable;
    return "";
}

// Checks a resolved path: the file and every folder above it.
std::string untrusted_path(const fs::path& path, bool is_file) {
    for (auto part = path; !part.empty(); part = part.parent_path()) {
        struct stat info {};
        if (::stat(part.c_str(), &info) != 0) return kOtherOwner;
        // Further up, a sticky folder such as /tmp is accepted: it protects its entries, which are
        // checked.
        const bool holds_it = part == path || (is_file && part == path.parent_path());
        if (!holds_it && (info.st_mode & S_ISVTX)) info.st_mode &= ~mode_t{S_IWOTH | S_IWGRP};
        if (auto why = untrusted_entry(info); !why.empty()) return why;
    }
    return "";
}

// Returns an empty string if the program may be run.
std::string why_ignored(const fs::path& entry, const fs::path& real,
                        const std::vector<std::string>& writable) {
    if (!entry.is_absolute()) return kRelative;
    boost::system::error_code fault;
    const auto folder = fs::canonical(entry, fault);
    if (fault) return kOtherOwner;
    for (const auto& path : {entry.lexically_normal(), folder, real})
        if (in_workspace(path, writable)) return kInWorkspace;
    auto why = untrusted_path(folder, false);
    return why.empty() ? untrusted_path(real, true) : why;
}

}  // namespace

FoundCommand find_command(const std::string& name, const std::vector<std::string>& writable) {
    FoundCommand found;
    const char* variable = std::getenv("PATH");
    const std::string_view path = variable ? variable : "/usr/bin:/bin";
    for (std::size_t start = 0; start <= path.size();) {
        const auto end = std::min(path.find(':', start), path.size());
        const fs::path entry(std::string(path.substr(start, end - start)));
        start = end + 1;
        const auto program = entry / name;  // an empty entry is the current folder
        boost::system::error_code fault;
        if (::access(program.c_str(), X_OK) != 0 || !fs::is_regular_file(program, fault)) continue;
        const auto real = fs::canonical(program, fault);
        if (fault) continue;
        const auto why = why_ignored(entry, real, writable);
        if (why.empty()) return {real.string(), ""};
        spdlog::debug("requires: {} is ignored: {}", program.string(), why);
        if (found.ignored.empty()) found.ignored = why;
    }
    return found;
}

}  // namespace toolhost::discovery
