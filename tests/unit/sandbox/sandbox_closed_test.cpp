// Actions that no sandboxed process can do, with any grant.

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "host/sandbox/sandbox.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;
using namespace toolhost::test;
using sandbox::Enforcement;

namespace {

std::string of_parent(const char* what) {
    return "/proc/" + std::to_string(::getppid()) + '/' + what;
}

// Copied from <linux/fs.h>, which conflicts with <sys/mount.h>.
constexpr unsigned long kSetFlags = _IOW('f', 2, long), kSetFlags32 = _IOW('f', 2, int),
                        kSetVersion = _IOW('v', 2, long), kSetAttributes = _IOW('X', 32, char[28]),
                        kFreeze = _IOWR('X', 119, int), kTrim = _IOWR('X', 121, char[24]),
                        kClone = _IOW(0x94, 9, int);

int open_file(const Scene& scene) {
    return ::open((scene.workspace / "file").c_str(), O_RDONLY | O_CLOEXEC);
}

int set(const Scene& scene, unsigned long wish) {
    char value[32] = {};
    return outcome(::syscall(SYS_ioctl, open_file(scene), wish, value));
}

}  // namespace

TEST_CASE("actions that no grant allows") {
    if (!whole_sandbox()) return;
    const Scene scene;
    struct Row {
        std::string what;
        int refusal;
        std::function<int()> attempt;
    };
    const pid_t host = ::getpid();
    const int held = scene.listener.fd;
    const int watches = ::inotify_init1(IN_CLOEXEC);
    REQUIRE(watches >= 0);
    const std::vector<Row> rows = {
        {"read /etc/passwd", EACCES, [] { return read_it("/etc/passwd"); }},
        {"read beside the workspace", EACCES, [&] { return read_it(scene.outside / "secret"); }},
        {"read through a link out of it", EACCES,
         [&] { return read_it(scene.workspace / "link"); }},
        {"read through dots", EACCES,
         [&] {
             const auto secret = boost::filesystem::path(scene.outside.path()).filename().string();
             return read_it(scene.workspace / "../" + secret + "/secret");
         }},
        {"write beside the workspace", EACCES, [&] { return write_it(scene.outside / "new"); }},
        {"truncate beside the workspace", EACCES,
         [&] { return outcome(::truncate((scene.outside / "secret").c_str(), 0)); }},
        {"remove beside the workspace", EACCES,
         [&] { return outcome(::unlink((scene.outside / "secret").c_str())); }},
        {"list the root", EACCES, [] { return outcome(::open("/", O_RDONLY | O_DIRECTORY)); }},
        {"change an owner", EPERM,
         [&] { return outcome(::chown((scene.outside / "secret").c_str(), ::getuid(), 0)); }},
        {"read the host's environment", EACCES, [] { return read_it(of_parent("environ")); }},
        {"read the host's memory", EACCES, [] { return read_it(of_parent("mem")); }},
        {"open a descriptor of the host", EACCES,
         [&] { return read_it(of_parent(("fd/" + std::to_string(held)).c_str())); }},
        {"trace the host", EPERM,
         [&] { return outcome(::ptrace(PTRACE_SEIZE, host, nullptr, nullptr)); }},
        {"signal the host", EPERM, [&] { return outcome(::kill(host, 0)); }},
        {"end the host", EPERM, [&] { return outcome(::kill(host, SIGTERM)); }},
        {"end a thread of the host", EPERM,
         [&] { return outcome(::syscall(SYS_tgkill, host, host, SIGTERM)); }},
        {"limit the host", EPERM,
         [&] {
             rlimit limit{1, 1};
             return outcome(::syscall(SYS_prlimit64, host, RLIMIT_CORE, &limit, nullptr));
         }},
        {"leave the session", EPERM, [] { return outcome(::setsid()); }},
        {"leave the group", EPERM, [] { return outcome(::setpgid(0, 0)); }},
        {"outlive the host", EPERM, [] { return outcome(::prctl(PR_SET_PDEATHSIG, 0)); }},
        {"the same with bits on top", EPERM,
         [] { return outcome(::syscall(SYS_prctl, 0x100000000 | PR_SET_PDEATHSIG, 0)); }},
        {"io_uring", EPERM,
         [] {
             io_uring_params params{};
             return outcome(::syscall(SYS_io_uring_setup, 4, &params));
         }},
        {"mount", EPERM, [] { return outcome(::mount("none", "/none", "tmpfs", 0, nullptr)); }},
        {"unshare", EPERM, [] { return outcome(::unshare(CLONE_NEWUTS)); }},
        {"unshare a user", EPERM, [] { return outcome(::unshare(CLONE_NEWUSER)); }},
        {"clone into a namespace", EPERM,
         [] {
             return outcome(
                 ::syscall(SYS_clone, CLONE_NEWUSER | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
         }},
        {"clone3", ENOSYS, [] { return outcome(::syscall(SYS_clone3, nullptr, 0)); }},
        {"type into a terminal", EPERM, [] { return outcome(::ioctl(0, TIOCSTI, "x")); }},
        {"the same with bits on top", EPERM,
         [] { return outcome(::syscall(SYS_ioctl, 0, 0x100000000 | TIOCSTI, "x")); }},
        {"shared memory by number", EPERM,
         [] { return outcome(::syscall(SYS_shmget, 0, 4096, 0600)); }},
        {"a local socket", EACCES, [] { return outcome(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
        {"a pair of sockets that can be pointed elsewhere", EACCES,
         [] {
             int ends[2];
             return outcome(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends));
         }},
        {"a pair of raw sockets", EACCES,
         [] {
             int ends[2];
             return outcome(::socketpair(AF_UNIX, SOCK_RAW | SOCK_CLOEXEC, 0, ends));
         }},
        {"a raw packet", EACCES, [] { return outcome(::socket(AF_PACKET, SOCK_RAW, 0)); }},
        {"set flags of a file", ENOTTY, [&] { return set(scene, kSetFlags); }},
        {"the same of a 32-bit program", ENOTTY, [&] { return set(scene, kSetFlags32); }},
        {"the same with bits on top", ENOTTY, [&] { return set(scene, 0x100000000 | kSetFlags); }},
        {"set extended flags of a file", ENOTTY, [&] { return set(scene, kSetAttributes); }},
        {"set a file's version", ENOTTY, [&] { return set(scene, kSetVersion); }},
        {"freeze a file system", ENOTTY, [&] { return set(scene, kFreeze); }},
        {"trim a file system", ENOTTY, [&] { return set(scene, kTrim); }},
        {"share what a file holds", ENOTTY, [&] { return set(scene, kClone); }},
        {"take a lease", EPERM,
         [&] { return outcome(::fcntl(open_file(scene), F_SETLEASE, F_RDLCK)); }},
        {"watch a folder by signals", EPERM,
         [&] {
             const int folder = ::open(scene.workspace.path().c_str(), O_RDONLY | O_DIRECTORY);
             return outcome(::fcntl(folder, F_NOTIFY, DN_CREATE));
         }},
        {"watch a folder beside the workspace", ENOSYS,
         [&] {
             const int watch = ::inotify_init1(IN_CLOEXEC);
             if (watch < 0) return errno;
             return outcome(
                 ::inotify_add_watch(watch, scene.outside.path().c_str(), IN_ALL_EVENTS));
         }},
        {"the same with a descriptor from elsewhere", ENOSYS,
         [&] {
             return outcome(
                 ::inotify_add_watch(watches, scene.outside.path().c_str(), IN_ALL_EVENTS));
         }},
        {"watch a file system", EPERM,
         [] { return outcome(::fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY)); }},
        {"read attributes beside the workspace", ENOTSUP,
         [&] {
             char value[64];
             return outcome(::getxattr((scene.outside / "secret").c_str(), "user.x", value, 64));
         }},
        {"list attributes beside the workspace", ENOTSUP,
         [&] {
             char names[64];
             return outcome(::listxattr((scene.outside / "secret").c_str(), names, sizeof names));
         }},
        {"the same without following links", ENOTSUP,
         [&] {
             char names[64];
             return outcome(::llistxattr((scene.workspace / "link").c_str(), names, sizeof names));
         }},
        {"regain a capability", EPERM,
         [] { return outcome(::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0)); }},
    };
    for (const auto& row : rows)
        for (const bool granted : {false, true}) {
            CAPTURE(row.what);
            CAPTURE(granted);
            CHECK(try_closed(scene.with(granted, granted, granted), scene.needs, row.attempt) ==
                  row.refusal);
        }
    ::close(watches);
    CHECK(boost::filesystem::file_size(scene.outside / "secret") == 6);
}
