// What a sandboxed process can do, with and without grants.
#include "host/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdlib>

#include "host/os/instrumented.hpp"
#include "tests/unit/sandbox/sandbox_scene.hpp"

using namespace toolhost;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::test;
using sandbox::Enforcement;

TEST_CASE("the settings of a confinement are preserved as JSON") {
    Confinement sent;
    sent.sandbox = Enforcement::best_effort;
    sent.limits.memory_mb = 64;
    sent.limits.processes = 3;
    sent.network = true;
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

TEST_CASE("each action is refused without its grant and allowed with it") {
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
        // None of the other grants is enough.
        CHECK(try_closed(scene.with(!row.network, !row.exec, !row.write), scene.needs,
                         row.attempt) == row.refusal);
        CHECK(try_closed(scene.with(row.network, row.exec, row.write), scene.needs, row.attempt) ==
              0);
    }
}

TEST_CASE("actions that every worker is allowed") {
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

TEST_CASE("refused calls return an error, also if signals are blocked or ignored") {
    if (!whole_sandbox()) return;
    const Scene scene;
    const auto shell = [] {
        char name[] = "sh";
        char* const arguments[] = {name, nullptr};
        return outcome(::execve("/bin/sh", arguments, nullptr));
    };
    const std::vector<std::function<int()>> attempts = {[&] { return scene.listener.connect(); },
                                                        start_and_wait, shell,
                                                        [] { return run("/bin/true"); }};
    for (const auto& attempt : attempts) {
        CHECK(try_closed(scene.strict, scene.needs, [&] {
                  sigset_t all;
                  ::sigfillset(&all);
                  if (::sigprocmask(SIG_BLOCK, &all, nullptr) != 0) return 1;
                  return attempt();
              }) == EACCES);
        CHECK(try_closed(scene.strict, scene.needs, [&] {
                  ::signal(SIGSYS, SIG_IGN);
                  return attempt();
              }) == EACCES);
    }
}

TEST_CASE("numbers of other architectures are refused") {
    if (!whole_sandbox()) return;
#ifdef __x86_64__
    const Scene scene;
    CHECK(try_closed(scene.strict, scene.needs, [] {
              return outcome(::syscall(0x40000000 | SYS_getpid));  // x32
          }) == ENOSYS);
    const int old = try_closed(scene.strict, scene.needs, [] {
        long answer = 20;  // getpid of i386
        asm volatile("int $0x80" : "+a"(answer) : : "memory");
        return answer > 0 ? 0 : static_cast<int>(-answer);
    });
    CHECK(
        (old == ENOSYS || old == kDied + SIGSEGV));  // the latter if the kernel does not support it
#endif
}

TEST_CASE("a sandboxed process still ends with its parent") {
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

TEST_CASE("a missing granted path is an error whose message does not name it") {
    if (!whole_sandbox()) return;
    Confinement confinement;
    confinement.sandbox = Enforcement::required;
    confinement.read = {"/no/such/folder"};
    const pid_t child = ::fork();
    if (child == 0) {
        const auto entered = enter_sandbox(confinement, {});
        // Models read the message; the host logs the rest.
        if (entered || entered.error().message.find("/no/such/folder") != std::string::npos)
            ::_exit(1);
        ::_exit(entered.error().details.value(kServerPath, "") == "/no/such/folder" ? 0 : 2);
    }
    CHECK(end_of(child) == 0);
}

TEST_CASE("a granted path that has become a link is an error") {
    if (!whole_sandbox()) return;
    const Scene scene;
    REQUIRE(::symlink(scene.outside.path().c_str(), (scene.workspace / "granted").c_str()) == 0);
    auto confinement = scene.strict;
    confinement.write = {scene.workspace / "granted"};
    CHECK(try_closed(confinement, scene.needs, [] { return 0; }) == kNotEntered);
    confinement.write = {scene.workspace / "granted/deeper"};
    CHECK(try_closed(confinement, scene.needs, [] { return 0; }) == kNotEntered);
}

TEST_CASE("a process with threads cannot enter a sandbox") {
    if (kSanitized) return;  // sanitizers run a thread
    CHECK(try_closed(
              {}, {}, [] { return 0; }, [] { std::thread([] { ::pause(); }).detach(); }) ==
          kNotEntered);
}

TEST_CASE("off restricts nothing") {
    const Scene scene;
    CHECK(try_closed({}, {}, [&] { return read_it(scene.outside / "secret"); }) == 0);
    CHECK(try_closed({}, {}, [&] { return scene.listener.connect(); }) == 0);
    CHECK(sandbox_in_force(Enforcement::off) == "off");
}

TEST_CASE("a process with exec can create groups if it has its own namespace") {
    if (!whole_sandbox()) return;
    const Scene scene;
    const auto leave_group = [] { return outcome(::setpgid(0, 0)); };
    const auto loosen = [] { return outcome(::prctl(PR_SET_PDEATHSIG, SIGTERM)); };
    auto own = scene.needs;
    own.own_processes = true;
    for (const auto& attempt : {std::function<int()>(leave_group), std::function<int()>(loosen)}) {
        CHECK(try_closed(scene.with(true, false, true), own, attempt) == EPERM);
        CHECK(try_closed(scene.with(false, true), scene.needs, attempt) == EPERM);
        CHECK(try_closed(scene.with(false, true), own, attempt) == 0);
    }
}
