#include "host/sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem/operations.hpp>
#include <cerrno>
#include <string>

#include "host/os/descriptor.hpp"
#include "host/os/instrumented.hpp"
#include "host/os/path_walk.hpp"
#include "host/sandbox/landlock_api.hpp"
#include "host/sandbox/opened_paths.hpp"
#include "host/sandbox/protected_mounts.hpp"

namespace toolhost::sandbox {
namespace {

namespace ll = landlock;

constexpr std::uint64_t kRead = ll::kReadFile | ll::kReadDir;
// Neither devices nor sockets: no tool creates them.
constexpr std::uint64_t kWrite = kRead | ll::kWriteFile | ll::kTruncate | ll::kRefer |
                                 ll::kRemoveDir | ll::kRemoveFile | ll::kMakeDir | ll::kMakeReg |
                                 ll::kMakeFifo | ll::kMakeSym;
constexpr std::uint64_t kOfFiles =
    ll::kExecute | ll::kWriteFile | ll::kReadFile | ll::kTruncate | ll::kIoctlDev;

// Rights that the kernel does not know are left out.
std::uint64_t known_files(int version) {
    std::uint64_t known = (ll::kMakeSym << 1) - 1;
    if (version >= 2) known |= ll::kRefer;
    if (version >= 3) known |= ll::kTruncate;
    if (version >= 5) known |= ll::kIoctlDev;
    return known;
}

Error landlock_failed(const std::string& what, const std::string& path) {
    Error error{
        ErrorCode::sandbox_unavailable, "sandbox: " + what + ": " + os::system_message(errno), {}};
    if (!path.empty()) error.details[kServerPath] = path;
    return error;
}

// Links are not followed: a user who can write next to a granted folder could replace it by a link.
os::Descriptor open_as_named(const std::string& path) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS;
    return os::Descriptor(
        static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

class Rules {
public:
    explicit Rules(int version, bool network) : known_(known_files(version)) {
        ll::Ruleset set{known_, 0, 0};
        if (version >= 4 && !network) set.net = ll::kBindTcp | ll::kConnectTcp;
        if (version >= kLandlockScopesSignals) set.scoped = ll::kAbstractUnixSocket | ll::kSignal;
        // An older kernel accepts unknown members if they are zero.
        set_ = os::Descriptor(
            static_cast<int>(::syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0)));
        fault_ = set_ ? 0 : errno;
    }

    void allow(const std::string& path, std::uint64_t access, bool must_exist) {
        if (fault_) return;
        os::Descriptor place = must_exist
                                   ? open_as_named(path)
                                   : os::Descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
        if (!place && !must_exist && (errno == ENOENT || errno == EACCES || errno == ENOTDIR))
            return;
        if (!place)
            return fail(errno == ELOOP ? "the workspace of the profile or a granted folder is a "
                                         "link, use its target"
                                       : "the workspace of the profile or a granted folder",
                        path);
        add(place, path, access);
    }

    // Like allow(), but skips links and missing files.
    void allow_child(const std::string& path, std::uint64_t access) {
        if (fault_) return;
        if (++children_ > kMaxChildren) {
            errno = E2BIG;
            return fail("the granted folder contains toolhost's own files and more than " +
                            std::to_string(kMaxChildren) +
                            " other entries; set another workspace in the profile",
                        path);
        }
        if (const auto place = open_as_named(path)) add(place, path, access);
    }

    Result<void> enforce() {
        if (!fault_ && ::syscall(SYS_landlock_restrict_self, set_.get(), 0) != 0)
            fail("landlock", "");
        if (!fault_) return {};
        errno = fault_;
        return landlock_failed(what_, path_);
    }

private:
    // A rule takes kernel memory, and time when the worker starts.
    static constexpr std::size_t kMaxChildren = 4096;

    void add(const os::Descriptor& place, const std::string& path, std::uint64_t access) {
        struct stat info {};
        if (::fstat(place.get(), &info) != 0) return fail(kRule, path);
        access &= known_;
        if (!S_ISDIR(info.st_mode)) access &= kOfFiles;
        const ll::PathRule rule{access, place.get()};
        if (::syscall(SYS_landlock_add_rule, set_.get(), ll::kPathRule, &rule, 0) != 0)
            fail(kRule, path);
    }

    static constexpr const char* kRule = "a rule for a file or folder";

    void fail(const std::string& what, const std::string& path) {
        fault_ = errno;
        what_ = what;
        path_ = path;
    }

    std::uint64_t known_;
    os::Descriptor set_;
    int fault_ = 0;
    std::string what_ = "landlock", path_;
    std::size_t children_ = 0;
};

// Allows writing a folder except for `held`. A right on the folder itself would include everything
// below it, so its children get theirs one by one.
void allow_around(Rules& rules, const std::string& folder, const std::vector<ProtectedEntry>& held,
                  std::uint64_t run) {
    const auto inside = [&](const ProtectedEntry& entry) {
        return os::is_within(entry.path, folder);
    };
    if (std::none_of(held.begin(), held.end(), inside))
        return rules.allow(folder, kWrite | run, true);
    rules.allow(folder, kRead | run, true);
    boost::system::error_code fault;
    for (boost::filesystem::directory_iterator child(folder, fault), end; !fault && child != end;
         child.increment(fault)) {
        const auto path = child->path().string();
        const auto known = std::find_if(held.begin(), held.end(), [&](const ProtectedEntry& entry) {
            return entry.path == path;
        });
        if (known == held.end())
            rules.allow_child(path, kWrite | run);
        else if (!known->read_only && !boost::filesystem::is_symlink(path, fault))
            allow_around(rules, path, held, run);
    }
}

// What Landlock can protect without mounts.
std::vector<ProtectedEntry> protected_host_files(Confinement confinement) {
    confinement.trusted_files.clear();
    return protected_entries(confinement);
}

}  // namespace

int landlock_version() {
    static const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ll::kAskVersion);
    return static_cast<int>(std::max(version, 0L));
}

Result<void> close_file_system(const Confinement& confinement, const SandboxNeeds& needs,
                               bool held) {
    const std::uint64_t run = confinement.exec ? ll::kExecute : 0;
    Rules rules(landlock_version(), confinement.network);
    for (const auto& opened : kOpenedPaths)
        if (opened.by == OpenedBy::every_worker)
            rules.allow(opened.path, kRead | run, false);
        else if (confinement.network)
            rules.allow(opened.path, kRead, false);
    rules.allow("/dev/null", ll::kReadFile | ll::kWriteFile, false);
    // If one of these is missing, the loader reports it better.
    for (const auto& path : needs.load) rules.allow(path, kRead, false);
    for (const auto& path : confinement.read) rules.allow(path, kRead | run, true);
    const auto host_files =
        held ? std::vector<ProtectedEntry>() : protected_host_files(confinement);
    for (const auto& path : confinement.write) allow_around(rules, path, host_files, run);
    if (!needs.temp.empty()) rules.allow(needs.temp, kWrite | run, true);
    // Sanitizers read the list of mappings whenever a library is loaded.
    if (os::kSanitized) rules.allow("/proc/self", kRead, false);
    if (os::kCoverageFolder) rules.allow(os::kCoverageFolder, kWrite, false);
    return rules.enforce();
}

}  // namespace toolhost::sandbox
