// What a closed process cannot do, and what it still can.
#include "host/runtime/sandbox.hpp"
#include "host/runtime/instrumented.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <thread>

#include "tests/unit/doctest.hpp"
#include "tests/unit/runtime/closed_child.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::runtime;
using namespace toolhost::test;
using policy::Sandbox;

namespace {

int read_it(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte;
    return fd < 0 ? errno : outcome(::read(fd, &byte, 1));
}

int write_it(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return fd < 0 ? errno : outcome(::write(fd, "x", 1));
}

int start_and_wait() {
    const pid_t child = ::fork();
    if (child < 0) return errno;
    if (child == 0) ::_exit(0);
    return end_of(child);
}

int run(const char* program) {
    pid_t child = -1;
    char* arguments[] = {const_cast<char*>(program), nullptr};
    char* environment[] = {nullptr};
    const int fault = ::posix_spawn(&child, program, nullptr, nullptr, arguments, environment);
    return fault != 0 ? fault : end_of(child);
}

int run_threads(int count) {
    try {
        std::vector<std::thread> threads;
        for (int i = 0; i < count; ++i) threads.emplace_back([] { ::usleep(100'000); });
        for (auto& thread : threads) thread.join();
        return 0;
    } catch (const std::system_error& e) {
        return e.code().value();  // ends by _exit: the others need not be joined
    }
}

// A port on loopback that somebody listens to.
struct Listener {
    Listener() : fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(fd, 4) == 0);
        REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    }
    ~Listener() { ::close(fd); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    int connect() const {
        const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (client < 0) return errno;
        return outcome(
            ::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address));
    }
    int fd;
    sockaddr_in address{};
};

// A workspace with a file and a link out of it, and a secret beside it.
struct Scene {
    Scene() {
        outside.write("secret", "secret");
        workspace.write("file", "text");
        REQUIRE(::symlink((outside / "secret").c_str(), (workspace / "link").c_str()) == 0);
        needs.temp = temp.path();
        strict.sandbox = Sandbox::required;
        strict.read = {workspace.path()};
    }
    [[nodiscard]] Confinement with(bool network, bool exec, bool write = false) const {
        auto out = strict;
        out.network = network;
        out.exec = exec;
        if (write) out.write = {workspace.path()};
        return out;
    }
    TempFolder workspace, outside, temp;
    Listener listener;
    SandboxNeeds needs;
    Confinement strict;
};

std::string of_parent(const char* what) {
    return "/proc/" + std::to_string(::getppid()) + '/' + what;
}

}  // namespace

TEST_CASE("a confinement survives the journey to the worker") {
    Confinement sent;
    sent.sandbox = Sandbox::best_effort;
    sent.limits.memory_mb = 64;
    sent.limits.processes = 3;
    sent.network = true;
    sent.read = {"/a"};
    sent.write = {"/b", "/c"};
    sent.environment = {"A=b"};
    const auto got = read_confinement(to_json(sent));
    REQUIRE(got);
    CHECK(to_json(*got) == to_json(sent));
    CHECK_FALSE(got->exec);
    CHECK_FALSE(got->limits.cpu_seconds.has_value());
    CHECK_FALSE(read_confinement(Json::object()));
    CHECK_FALSE(read_confinement(Json::array()));
    auto wrong = to_json(sent);
    wrong["sandbox"] = "none";
    CHECK_FALSE(read_confinement(wrong));
}

TEST_CASE("what no worker may do, whatever it is granted") {
    if (!whole_sandbox()) return;
    const Scene scene;
    struct Row {
        std::string what;
        int refusal;
        std::function<int()> attempt;
    };
    const pid_t host = ::getpid();
    const int held = scene.listener.fd;
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
        {"a raw packet", EACCES, [] { return outcome(::socket(AF_PACKET, SOCK_RAW, 0)); }},
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
    CHECK(boost::filesystem::file_size(scene.outside / "secret") == 6);
}

TEST_CASE("what needs a grant is impossible without it and possible with it") {
    if (!whole_sandbox()) return;
    const Scene scene;
    struct Row {
        std::string what;
        bool network, exec, write;
        std::function<int()> attempt;
        int refusal = EACCES;
    };
    char* const none[] = {nullptr};
    char* const shell[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                           const_cast<char*>("exit 0"), nullptr};
    const std::vector<Row> rows = {
        {"connect to loopback", true, false, false, [&] { return scene.listener.connect(); }},
        {"a datagram socket", true, false, false,
         [] { return outcome(::socket(AF_INET6, SOCK_DGRAM, 0)); }},
        {"fork", false, true, false, start_and_wait},
        {"vfork", false, true, false,
         [] {
             const long child = ::syscall(SYS_fork);
             if (child == 0) ::_exit(0);
             return outcome(child);
         }},
        {"run a shell", false, true, false,
         [&] { return outcome(::execve("/bin/sh", shell, none)); }},
        {"spawn", false, true, false, [] { return run("/bin/true"); }},
        {"write the workspace", false, false, true,
         [&] { return write_it(scene.workspace / "new"); }},
        {"overwrite in the workspace", false, false, true,
         [&] { return write_it(scene.workspace / "file"); }},
        {"make a folder", false, false, true,
         [&] { return outcome(::mkdir((scene.workspace / "folder").c_str(), 0700)); }},
        {"change a mode", false, false, true,
         [&] { return outcome(::chmod((scene.workspace / "file").c_str(), 0600)); }, EPERM},
    };
    for (const auto& row : rows) {
        CAPTURE(row.what);
        CHECK(try_closed(scene.strict, scene.needs, row.attempt) == row.refusal);
        // All the other grants do not help.
        CHECK(try_closed(scene.with(!row.network, !row.exec, !row.write), scene.needs,
                         row.attempt) == row.refusal);
        CHECK(try_closed(scene.with(row.network, row.exec, row.write), scene.needs, row.attempt) ==
              0);
    }
}

TEST_CASE("what every worker can do") {
    if (!whole_sandbox()) return;
    const Scene scene;
    struct Row {
        std::string what;
        std::function<int()> attempt;
    };
    const std::vector<Row> rows = {
        {"read the workspace", [&] { return read_it(scene.workspace / "file"); }},
        {"list it",
         [&] { return outcome(::open(scene.workspace.path().c_str(), O_RDONLY | O_DIRECTORY)); }},
        {"write the temporary folder", [&] { return write_it(scene.temp / "new"); }},
        {"rename in it",
         [&] {
             write_it(scene.temp / "a");
             return outcome(::rename((scene.temp / "a").c_str(), (scene.temp / "b").c_str()));
         }},
        {"/dev/null", [] { return write_it("/dev/null"); }},
        {"/dev/urandom", [] { return read_it("/dev/urandom"); }},
        {"allocate", [] { return std::malloc(50u << 20) ? 0 : ENOMEM; }},
        {"threads", [] { return run_threads(4); }},
        {"socketpair",
         [] {
             int ends[2];
             return outcome(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
         }},
        {"signal itself", [] { return outcome(::kill(::getpid(), 0)); }},
        {"a numeric address",
         [] {
             addrinfo hints{}, *found = nullptr;
             hints.ai_flags = AI_NUMERICHOST;
             return ::getaddrinfo("127.0.0.1", "80", &hints, &found);
         }},
        {"read its own limits",
         [] {
             rlimit limit{};
             return outcome(::getrlimit(RLIMIT_NOFILE, &limit));
         }},
    };
    for (const auto& row : rows)
        for (const bool granted : {false, true}) {
            CAPTURE(row.what);
            CHECK(try_closed(scene.with(granted, granted), scene.needs, row.attempt) == 0);
        }
    CHECK(try_closed(scene.with(true, false), scene.needs, [] {
              addrinfo* found = nullptr;
              return ::getaddrinfo("localhost", nullptr, nullptr, &found);
          }) == 0);
}

TEST_CASE("attempts are remembered in words") {
    if (!whole_sandbox()) return;
    const Scene scene;
    CHECK(try_closed(scene.strict, scene.needs, [&] {
              if (!refused_attempts().empty()) return 1;
              scene.listener.connect();
              if (refused_attempts() != std::vector<std::string>{"network"}) return 2;
              start_and_wait();
              if (refused_attempts() != std::vector<std::string>{"network", "exec"}) return 3;
              forget_refused_attempts();
              if (!refused_attempts().empty()) return 4;
              int code = 5;  // from a thread that the plugin started
              std::thread([&] { code = scene.listener.connect(); }).join();
              return code == EACCES && refused_attempts().size() == 1 ? 0 : 6;
          }) == 0);
    // Whoever blocks or replaces the signal dies of the attempt.
    CHECK(try_closed(scene.strict, scene.needs, [&] {
              ::signal(SIGSYS, SIG_IGN);
              return scene.listener.connect();
          }) == kDied + SIGSYS);
}

TEST_CASE("numbers of other architectures end the process") {
    if (!whole_sandbox()) return;
#ifdef __x86_64__
    const Scene scene;
    const int end = try_closed(scene.strict, scene.needs, [] {
        return outcome(::syscall(0x40000000 | SYS_getpid));  // x32
    });
    CHECK(end == kDied + SIGSYS);
    const int old = try_closed(scene.strict, scene.needs, [] {
        long answer = 20;  // getpid of i386
        asm volatile("int $0x80" : "+a"(answer) : : "memory");
        return answer > 0 ? 0 : static_cast<int>(-answer);
    });
    CHECK((old == kDied + SIGSYS || old == kDied + SIGSEGV));  // the latter: not in this kernel
#endif
}

TEST_CASE("a closed process still ends with its parent") {
    const Scene scene;
    CHECK(try_closed(
              scene.strict, scene.needs,
              [] {
                  int signal = 0;
                  ::prctl(PR_GET_PDEATHSIG, &signal);
                  return signal == SIGKILL ? 0 : 1;
              },
              [] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }) == 0);
}

TEST_CASE("a granted path that is not there is an error that names it") {
    if (!whole_sandbox()) return;
    Confinement confinement;
    confinement.sandbox = Sandbox::required;
    confinement.read = {"/no/such/folder"};
    const pid_t child = ::fork();
    if (child == 0) {
        const auto entered = enter_sandbox(confinement, {});
        ::_exit(!entered && entered.error().message.find("/no/such/folder") != std::string::npos
                    ? 0
                    : 1);
    }
    CHECK(end_of(child) == 0);
}

TEST_CASE("a process with threads cannot be closed") {
    if (kSanitized) return;  // sanitizers have a thread of their own
    CHECK(try_closed(
              {}, {}, [] { return 0; }, [] { std::thread([] { ::pause(); }).detach(); }) ==
          kNotEntered);
}

TEST_CASE("off closes nothing") {
    const Scene scene;
    CHECK(try_closed({}, {}, [&] { return read_it(scene.outside / "secret"); }) == 0);
    CHECK(try_closed({}, {}, [&] { return scene.listener.connect(); }) == 0);
    CHECK(sandbox_in_force(Sandbox::off) == "off");
}
