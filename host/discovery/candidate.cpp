#include "host/discovery/candidate.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/runtime/descriptor.hpp"

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

void refuse(Finding& finding, const char* reason, std::string message) {
    finding.reason = reason;
    finding.message = std::move(message);
}

std::int64_t nanoseconds(const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

void refuse_unreachable(Finding& finding, int code) {
    switch (code) {
        case ELOOP:
            return refuse(finding, "symlink_loop", "the link leads back to itself");
        case ENOENT:
            return refuse(finding, "dangling_link", "the link's target does not exist");
        default:
            return refuse(finding, "unreadable", runtime::system_message(code));
    }
}

// Whose code it is, and who could change it.
void check_trust(Finding& finding, const struct stat& info, const std::string& who) {
    if (info.st_uid != 0 && info.st_uid != ::geteuid())
        return refuse(finding, "untrusted_owner",
                      who + " belongs to user " + std::to_string(info.st_uid) +
                          ", toolhost runs as " + std::to_string(::geteuid()));
    if (info.st_mode & S_IWOTH)
        return refuse(finding, "writable_by_others", who + " can be written by everybody");
}

// The plugin that a folder entry stands for; none if it is neither a library nor its own folder.
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

// The private libraries of NAME/NAME.so run with it: they and their folder must be trusted too, and
// a change of theirs is a change of the plugin.
void check_own_folder(Finding& finding) {
    const auto folder = fs::path(finding.candidate.path).parent_path();
    std::vector<std::string> parts = {folder.string()};
    boost::system::error_code fault;
    for (fs::recursive_directory_iterator it(folder, fault), end; !fault && it != end;
         it.increment(fault))
        parts.push_back(it->path().string());
    if (fault)  // what cannot be seen cannot be trusted
        return refuse(finding, "unreadable", folder.string() + ": " + fault.message());
    std::sort(parts.begin(), parts.end());
    std::string seen;
    for (const auto& part : parts) {
        struct stat info {};
        if (::stat(part.c_str(), &info) != 0) return refuse_unreachable(finding, errno);
        check_trust(finding, info, part);
        if (!finding.ok()) return;
        if (part == finding.candidate.path || S_ISDIR(info.st_mode)) continue;
        for (auto value : {static_cast<std::int64_t>(info.st_size), nanoseconds(info.st_mtim),
                           nanoseconds(info.st_ctim)})
            seen += std::to_string(value) + ' ';
        seen += part + '\n';
    }
    // Into the size: content is compared for the library alone, so this must never look the same.
    if (!seen.empty()) finding.candidate.stamp.size += std::hash<std::string>{}(seen);
}

}  // namespace

void check_from_outside(Finding& finding) {
    struct stat info {};
    if (::stat(finding.candidate.path.c_str(), &info) != 0)
        return refuse_unreachable(finding, errno);
    finding.candidate.stamp = {static_cast<std::uint64_t>(info.st_size), info.st_ino,
                               nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)};
    if (!S_ISREG(info.st_mode))
        return refuse(finding, "not_regular_file", "it is a folder, pipe, socket or device");
    check_trust(finding, info, "it");
    if (!finding.ok()) return;
    if (info.st_size == 0) return refuse(finding, "empty_file", "it has 0 bytes");
    if (finding.candidate.own_folder) check_own_folder(finding);
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
