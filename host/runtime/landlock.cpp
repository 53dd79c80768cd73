#include "host/runtime/landlock.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "host/runtime/descriptor.hpp"
#include "host/runtime/instrumented.hpp"
#include "host/runtime/landlock_api.hpp"

namespace toolhost::runtime {
namespace {

namespace ll = landlock;

constexpr std::uint64_t kRead = ll::kReadFile | ll::kReadDir;
// Neither devices nor sockets: no tool makes them.
constexpr std::uint64_t kWrite = kRead | ll::kWriteFile | ll::kTruncate | ll::kRefer |
                                 ll::kRemoveDir | ll::kRemoveFile | ll::kMakeDir | ll::kMakeReg |
                                 ll::kMakeFifo | ll::kMakeSym;
constexpr std::uint64_t kOfFiles =
    ll::kExecute | ll::kWriteFile | ll::kReadFile | ll::kTruncate | ll::kIoctlDev;

// What libraries, the C library and locales are read from. Not /proc, where other processes show
// their environment, and not /etc as a whole.
constexpr const char* kSystem[] = {"/usr",
                                   "/lib",
                                   "/lib64",
                                   "/lib32",
                                   "/bin",
                                   "/sbin",
                                   "/etc/ld.so.cache",
                                   "/etc/localtime",
                                   "/etc/mime.types",
                                   "/etc/timezone",
                                   "/etc/alternatives"};
constexpr const char* kNetwork[] = {
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf",   "/etc/gai.conf",
    "/etc/services",    "/etc/ssl",   "/etc/ca-certificates", "/run/systemd/resolve"};
constexpr const char* kDevices[] = {"/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

// Rights that a kernel does not know are left out: its sandbox is whole as far as it goes.
std::uint64_t known_files(int version) {
    std::uint64_t known = (ll::kMakeSym << 1) - 1;
    if (version >= 2) known |= ll::kRefer;
    if (version >= 3) known |= ll::kTruncate;
    if (version >= 5) known |= ll::kIoctlDev;
    return known;
}

Error landlock_failed(const std::string& what) {
    return {ErrorCode::plugin_unavailable, "sandbox: " + what + ": " + system_message(errno), {}};
}

// Without following links: whoever may write beside a granted folder could put one in its place.
Descriptor open_as_named(const std::string& path) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS;
    return Descriptor(
        static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

class Rules {
public:
    explicit Rules(int version, bool network) : known_(known_files(version)) {
        ll::Ruleset set{known_, 0, 0};
        if (version >= 4 && !network) set.net = ll::kBindTcp | ll::kConnectTcp;
        if (version >= kLandlockScopesSignals) set.scoped = ll::kAbstractUnixSocket | ll::kSignal;
        // Members that an older kernel does not know are taken as long as they are zero.
        set_ = Descriptor(
            static_cast<int>(::syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0)));
        fault_ = set_ ? 0 : errno;
    }

    void allow(const std::string& path, std::uint64_t access, bool must_exist) {
        if (fault_) return;
        Descriptor place =
            must_exist ? open_as_named(path) : Descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
        struct stat info {};
        if (!place && !must_exist && (errno == ENOENT || errno == EACCES || errno == ENOTDIR))
            return;
        if (!place || ::fstat(place.get(), &info) != 0)
            return fail(path +
                        (errno == ELOOP
                             ? " (the profile's workspace, or a folder that is granted: name "
                               "where the link leads)"
                             : " (the profile's workspace, or a folder that is granted)"));
        access &= known_;
        if (!S_ISDIR(info.st_mode)) access &= kOfFiles;
        const ll::PathRule rule{access, place.get()};
        if (::syscall(SYS_landlock_add_rule, set_.get(), ll::kPathRule, &rule, 0) != 0) fail(path);
    }

    Result<void> enforce() {
        if (!fault_ && ::syscall(SYS_landlock_restrict_self, set_.get(), 0) != 0) fail("landlock");
        if (!fault_) return {};
        errno = fault_;
        return landlock_failed(where_.empty() ? "landlock" : where_);
    }

private:
    void fail(const std::string& where) {
        fault_ = errno;
        where_ = where;
    }

    std::uint64_t known_;
    Descriptor set_;
    int fault_ = 0;
    std::string where_;
};

}  // namespace

int landlock_version() {
    static const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ll::kAskVersion);
    return static_cast<int>(std::max(version, 0L));
}

Result<void> close_file_system(const Confinement& confinement, const SandboxNeeds& needs) {
    const std::uint64_t run = confinement.exec ? ll::kExecute : 0;
    Rules rules(landlock_version(), confinement.network);
    for (const char* path : kSystem) rules.allow(path, kRead | run, false);
    if (confinement.network)
        for (const char* path : kNetwork) rules.allow(path, kRead, false);
    rules.allow("/dev/null", ll::kReadFile | ll::kWriteFile, false);
    for (const char* path : kDevices) rules.allow(path, ll::kReadFile, false);
    // The loader says it better if one of these is not there.
    for (const auto& path : needs.load) rules.allow(path, kRead, false);
    for (const auto& path : confinement.read) rules.allow(path, kRead | run, true);
    for (const auto& path : confinement.write) rules.allow(path, kWrite | run, true);
    if (!needs.temp.empty()) rules.allow(needs.temp, kWrite | run, true);
    // Sanitizers look up what is mapped whenever a library is loaded.
    if (kSanitized) rules.allow("/proc/self", kRead, false);
    if (kCoverageFolder) rules.allow(kCoverageFolder, kWrite, false);
    return rules.enforce();
}

}  // namespace toolhost::runtime
