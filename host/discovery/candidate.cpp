#include "host/discovery/candidate.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/loading/plugin_folder.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

void refuse(Finding& finding, Reason reason, std::string message) {
    finding.reason = reason;
    finding.message = std::move(message);
}

std::int64_t nanoseconds(const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void refuse_unreachable(Finding& finding, int code) {
    if (loading::leaves_folder(code))
        return refuse(finding, Reason::link_leaves_folder, "it has a link that leaves its folder");
    switch (code) {
        case ELOOP:
            return refuse(finding, Reason::symlink_loop, "the link leads back to itself");
        case ENOENT:
            return refuse(finding, Reason::dangling_link, "the link's target does not exist");
        default:
            return refuse(finding, Reason::unreadable, os::system_message(code));
    }
}

// Checks who owns the code and who can change it.
void check_trust(Finding& finding, const struct stat& info, const std::string& who) {
    if (info.st_uid != 0 && info.st_uid != ::geteuid())
        return refuse(finding, Reason::untrusted_owner,
                      who + " belongs to user " + std::to_string(info.st_uid) +
                          ", toolhost runs as " + std::to_string(::geteuid()));
    if (info.st_mode & S_IWOTH)
        return refuse(finding, Reason::writable_by_others, who + " is writable by everyone");
}

// Anyone can rename the files of a folder that anyone can write, unless it is sticky, as /tmp is.
// In a sticky folder a file may still not be writable by its group.
void check_surroundings(Finding& finding, const fs::path& folder, bool group_writes) {
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return refuse_unreachable(finding, errno);
    if ((info.st_mode & S_IWOTH) == 0) return;
    if ((info.st_mode & S_ISVTX) == 0)
        return refuse(finding, Reason::writable_by_others,
                      "its folder " + folder.string() + " is writable by everyone");
    if (group_writes)
        refuse(finding, Reason::writable_by_others,
               "it is writable by a group, and everyone can write its folder " + folder.string());
}

// Fills `out` if the folder entry is a library or a plugin's own folder.
bool as_candidate(const fs::directory_entry& entry, const std::string& suffix, Candidate& out) {
    const auto name = entry.path().filename().string();
    if (name.starts_with('.')) return false;
    if (entry.path().extension() == suffix) {
        out = {entry.path().string(), false, {}};
        return true;
    }
    boost::system::error_code fault;
    if (fs::is_directory(entry.status(fault))) {
        auto inside = entry.path() / (name + suffix);
        if (fs::symlink_status(inside, fault).type() == fs::file_not_found) return false;
        out = {inside.string(), true, {}};
        return true;
    }
    return false;
}

// The companion files of NAME/NAME.so run with it: they and their folder must be trusted too, and a
// change of one changes the plugin. Returns whether a group can write one of them.
bool check_own_folder(Finding& finding) {
    const auto folder = fs::path(finding.candidate.path).parent_path().string();
    bool group_writes = false;
    std::string seen;
    std::uintmax_t total = 0;
    auto check = [&](const std::string& part, const struct stat& info) {
        check_trust(finding, info, part);
        group_writes = group_writes || (info.st_mode & S_IWGRP) != 0;
        if (!finding.ok() || S_ISDIR(info.st_mode)) return;
        if (!S_ISREG(info.st_mode))
            return refuse(finding, Reason::not_regular_file, part + " is a pipe, socket or device");
        if ((total += static_cast<std::uintmax_t>(info.st_size)) > loading::kMaxPluginBytes)
            return refuse(finding, Reason::too_large, "its folder has more than 1 GiB");
        if (part == finding.candidate.path) return;
        auto& stamp = finding.candidate.stamp;  // the latest times of all its files
        stamp.mtime_ns = std::max(stamp.mtime_ns, nanoseconds(info.st_mtim));
        stamp.ctime_ns = std::max(stamp.ctime_ns, nanoseconds(info.st_ctim));
        for (auto value : {static_cast<std::int64_t>(info.st_size), nanoseconds(info.st_mtim),
                           nanoseconds(info.st_ctim)})
            seen += std::to_string(value) + ' ';
        seen += part + '\n';
    };
    const auto place = loading::open_plugin_folder(folder);
    struct stat info {};
    if (!place || ::fstat(place.get(), &info) != 0) {
        refuse_unreachable(finding, errno);
        return false;
    }
    check(folder, info);
    const auto entries = loading::list_plugin_folder(folder);
    if (entries.fault == EFBIG)
        refuse(finding, Reason::too_large,
               "its folder has more than " + std::to_string(loading::kMaxPluginEntries) +
                   " entries or is too deep");
    else if (entries.fault)  // files that cannot be seen cannot be trusted
        refuse(finding, Reason::unreadable, folder + ": " + os::system_message(entries.fault));
    for (const auto& name : entries.names) {
        if (!finding.ok()) return false;
        const auto part = loading::open_beneath(place.get(), name, O_PATH);
        if (!part || ::fstat(part.get(), &info) != 0)
            refuse_unreachable(finding, errno);
        else
            check(folder + '/' + name, info);
    }
    if (!seen.empty()) finding.candidate.stamp.companions = std::hash<std::string>{}(seen);
    return group_writes;
}

}  // namespace

FileStamp stamp_of(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_size), info.st_ino, nanoseconds(info.st_mtim),
            nanoseconds(info.st_ctim), 0};
}

void check_from_outside(Finding& finding) {
    struct stat info {};
    if (::stat(finding.candidate.path.c_str(), &info) != 0)
        return refuse_unreachable(finding, errno);
    finding.candidate.stamp = stamp_of(info);
    if (!S_ISREG(info.st_mode))
        return refuse(finding, Reason::not_regular_file, "it is a folder, pipe, socket or device");
    check_trust(finding, info, "it");
    if (!finding.ok()) return;
    if (info.st_size == 0) return refuse(finding, Reason::empty_file, "it has 0 bytes");
    if (static_cast<std::uintmax_t>(info.st_size) > loading::kMaxPluginBytes)
        return refuse(finding, Reason::too_large, "it has more than 1 GiB");
    bool group_writes = (info.st_mode & S_IWGRP) != 0;
    fs::path lies_in = fs::path(finding.candidate.path).parent_path();
    if (finding.candidate.own_folder) {
        group_writes = check_own_folder(finding) || group_writes;
        lies_in = lies_in.parent_path();
    }
    if (finding.ok()) check_surroundings(finding, lies_in, group_writes);
    // Resolves a link.
    boost::system::error_code fault;
    const auto real = fs::canonical(finding.candidate.path, fault);
    if (finding.ok() && !fault && !finding.candidate.own_folder && real.parent_path() != lies_in)
        check_surroundings(finding, real.parent_path(), group_writes);
}

FolderListing list_candidates(const std::string& folder) {
    static const std::string suffix = boost::dll::shared_library::suffix().string();
    FolderListing listing{folder, "", {}};
    boost::system::error_code fault;
    for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
        Finding finding;
        if (!as_candidate(*it, suffix, finding.candidate)) continue;
        check_from_outside(finding);
        listing.candidates.push_back(std::move(finding));
    }
    if (fault && fault != boost::system::errc::no_such_file_or_directory)
        listing.problem = fault.message();
    std::sort(
        listing.candidates.begin(), listing.candidates.end(),
        [](const Finding& a, const Finding& b) { return a.candidate.path < b.candidate.path; });
    return listing;
}

}  // namespace toolhost::discovery
