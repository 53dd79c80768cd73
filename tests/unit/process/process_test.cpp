#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <toolhost/process.hpp>

#include "tests/unit/is_gone.hpp"

namespace {

using namespace std::chrono_literals;
using toolhost::Ending;
using toolhost::Programs;
using toolhost::ProgramsEnd;
using toolhost::test::is_gone;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

struct Ran {
    ProgramsEnd end;
    std::map<int, std::string> said;
    std::chrono::milliseconds took{};
};

Ran run(Programs start) {
    Ran ran;
    if (start.environment.empty()) start.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    if (!start.timeout) start.timeout = 30s;
    const auto more = start.output;
    start.output = [&](int fd, std::string_view bytes) {
        ran.said[fd] += bytes;
        if (more) more(fd, bytes);
    };
    const auto begin = Clock::now();
    ran.end = toolhost::run_programs(start);
    ran.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return ran;
}

Programs shell(const std::string& text) {
    Programs start;
    start.programs = {{{"/bin/sh", "-c", text}}};
    return start;
}

std::size_t open_descriptors() {
    const fs::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Starts it, waits for the process id that it prints, and cancels it.
Ran cancelled_after_number(Programs start, pid_t& number) {
    std::string seen;
    start.output = [&](int fd, std::string_view bytes) {
        if (fd == 1) seen += bytes;  // other output may come first
    };
    start.cancelled = [&] { return seen.find('\n') != std::string::npos; };
    auto ran = run(std::move(start));
    number = static_cast<pid_t>(std::atoi(seen.c_str()));
    return ran;
}

TEST_CASE("a program's output, its exit code and its input") {
    auto start = shell("cat; echo err >&2; exit 7");
    start.input = "hello";
    const auto ran = run(start);
    CHECK(ran.end.ending == Ending::finished);
    CHECK(ran.end.code() == 7);
    CHECK(ran.end.whole_tree);
    CHECK(ran.said.at(1) == "hello");
    CHECK(ran.said.at(2) == "err\n");
}

TEST_CASE("a program gets its folder and environment only") {
    auto start = shell("pwd; env");
    start.folder = "/usr";
    start.environment = {"PATH=/usr/bin:/bin", "ONLY=this"};
    const auto ran = run(start);
    CHECK(ran.said.at(1).find("/usr\n") == 0);
    CHECK(ran.said.at(1).find("ONLY=this") != std::string::npos);
    CHECK(ran.said.at(1).find("HOME=") == std::string::npos);
}

TEST_CASE("the exit code after a signal is 128 plus its number") {
    CHECK(run(shell("kill -TERM $$")).end.code() == 128 + SIGTERM);
}

TEST_CASE("signals that the caller blocks or ignores have their defaults in the program") {
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    REQUIRE(::sigaction(SIGPIPE, &ignore, &before) == 0);
    Programs start;
    start.programs = {{{"/usr/bin/yes"}}, {{"/usr/bin/head", "-n", "1"}}};
    const auto ran = run(start);
    REQUIRE(::sigaction(SIGPIPE, &before, nullptr) == 0);
    CHECK(ran.said.at(1) == "y\n");
    CHECK(ran.end.codes == std::vector{128 + SIGPIPE, 0});
}

TEST_CASE("a program waits for the previous one") {
    Programs start;
    start.programs = {{{"/bin/sh", "-c", "sleep 0.1; echo late"}}, {{"/usr/bin/sort"}}};
    CHECK(run(start).said.at(1) == "late\n");
}

TEST_CASE("a program's name may differ from its file") {
    Programs start;
    start.programs = {{{"alias", "-c", "echo $0"}, {}, "/bin/sh"}};
    CHECK(run(start).said.at(1) == "alias\n");
}

TEST_CASE("a pipeline, a file and 2>&1") {
    const auto file = fs::temp_directory_path() / ("process-test-" + std::to_string(::getpid()));
    {
        const auto out = toolhost::above_targets(toolhost::OwnedDescriptor(
            ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)));
        REQUIRE(out);
        Programs start;
        start.programs = {{{"/bin/sh", "-c", "echo b; echo a >&2"}, {{2, 1}}},
                          {{"/usr/bin/sort"}, {{1, out.get()}}}};
        const auto ran = run(start);
        CHECK(ran.end.code() == 0);
        CHECK(ran.said.empty());
    }
    std::ifstream in(file);
    std::string both((std::istreambuf_iterator<char>(in)), {});
    CHECK(both == "a\nb\n");
    fs::remove(file);
}

TEST_CASE("a third descriptor is read too") {
    auto start = shell("echo one; echo three >&3");
    start.outputs = {1, 2, 3};
    const auto ran = run(start);
    CHECK(ran.said.at(3) == "three\n");
    CHECK(ran.said.at(1) == "one\n");
}

TEST_CASE("programs that cannot be started say why") {
    Programs missing;
    missing.programs = {{{"/no/such/program"}}};
    auto ran = run(missing);
    CHECK(ran.end.ending == Ending::not_started);
    CHECK(ran.end.problem == "cannot run /no/such/program: No such file or directory");
    missing.programs = {{{"/usr"}}};
    CHECK(run(missing).end.problem == "cannot run /usr: Permission denied");
    missing.programs = {{{"/usr/bin/yes"}}, {{"/no/such/program"}}};  // the first one is killed
    CHECK(run(missing).end.ending == Ending::not_started);
    missing.programs = {};
    CHECK(run(missing).end.problem == "no program to start");
    auto folder = shell("true");
    folder.folder = "/no/such/folder";
    CHECK(run(folder).end.problem == "cannot enter the folder: No such file or directory");
}

TEST_CASE("the deadline ends all processes, including those that ignore signals") {
    auto start = shell("trap '' TERM INT HUP; while :; do sleep 100; done");
    start.timeout = 50ms;
    const auto ran = run(start);
    CHECK(ran.end.ending == Ending::timed_out);
    CHECK(ran.end.code() == 128 + SIGKILL);
    CHECK(ran.took < 1000ms);
}

TEST_CASE("a cancellation ends it at once") {
    auto quickest = Clock::duration::max();  // a busy machine may be slow at times
    for (int i = 0; i < 5 && quickest >= 100ms; ++i) {
        std::optional<Clock::time_point> told;
        auto start = shell("echo ready; sleep 100");
        start.output = [&](int, std::string_view) { told = Clock::now(); };
        start.cancelled = [&] { return told.has_value(); };
        CHECK(run(start).end.ending == Ending::cancelled);
        REQUIRE(told);
        quickest = std::min(quickest, Clock::now() - *told);
    }
    CHECK(quickest < 100ms);
}

TEST_CASE("no process can create a session or a process group") {
    const auto ran = run(shell("setsid sleep 100; echo $?"));
    CHECK(ran.said.at(1) != "0\n");
    CHECK(ran.said.at(2).find("not permitted") != std::string::npos);
}

// Signal 0 only checks the permission.
TEST_CASE("programs can signal each other, but not their starter") {
    const auto ran =
        run(shell("kill -0 $PPID || echo parent; kill -0 -1 || echo all; sleep 100 & kill -9 $!; "
                  "wait $!; echo $?; kill -0 0 && echo own"));
    CHECK(ran.said.at(1) == "parent\nall\n137\nown\n");
}

TEST_CASE("programs cannot signal the starter by its group, its threads or a handle") {
    std::atomic<pid_t> number = 0;
    std::atomic<bool> over = false;
    std::thread other([&] {
        number = static_cast<pid_t>(::syscall(SYS_gettid));
        while (!over) std::this_thread::sleep_for(1ms);
    });
    while (number == 0) std::this_thread::yield();
    Programs start;
    const auto call = [](const char* name, long which, const char* arguments) {
        return std::string("ask('") + name + "', lambda: call(" + std::to_string(which) + ", " +
               arguments + "))\n";
    };
    const std::string code =
        "import ctypes, os, signal, sys\nc = ctypes.CDLL(None, use_errno=True)\n"
        "p, t = os.getppid(), int(sys.argv[1])\n"
        "def call(*a):\n    if c.syscall(*a) < 0: raise OSError(ctypes.get_errno(), '')\n"
        "def ask(name, how):\n    try: how(); print(name, 'reaches it')\n"
        "    except OSError as e: print(name, e.errno)\n"
        "ask('group', lambda: os.kill(-os.getpgid(p), 0))\n" +
        call("tgkill", SYS_tgkill, "p, p, 0") + call("tkill", SYS_tkill, "t, 0") +
        call("queue", SYS_rt_sigqueueinfo, "p, 0, ctypes.create_string_buffer(128)") +
        "ask('handle', lambda: signal.pidfd_send_signal(os.pidfd_open(p), 0))\n"
        "signal.pthread_kill(__import__('threading').get_ident(), 0)\nprint('own')";
    start.programs = {{{"/usr/bin/python3", "-c", code, std::to_string(number)}}};
    const auto ran = run(start);
    over = true;
    other.join();
    CHECK(ran.said.at(1) == "group 1\ntgkill 1\ntkill 1\nqueue 1\nhandle 1\nown\n");
}

#ifdef __x86_64__
TEST_CASE("a system call by another architecture's number fails, and the program continues") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        toolhost::detail::ChildPlan plan{};
        plan.parent = ::getppid();
        plan.parent_group = ::getpgrp();
        if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(1);
        if (toolhost::detail::filter_calls(plan, true) != 0) ::_exit(2);
        long answer = 20;  // getpid of i386
        asm volatile("int $0x80" : "+a"(answer) : : "memory");
        ::_exit(answer == -ENOSYS ? 0 : 3);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    // A kernel that does not support these numbers kills the process.
    const bool unknown = WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
    CHECK((unknown || (WIFEXITED(status) && WEXITSTATUS(status) == 0)));
}
#endif

TEST_CASE("threads of the starter and other runs cannot be signalled") {
    std::atomic<pid_t> number = 0;
    std::atomic<bool> over = false;
    std::thread other([&] {
        number = static_cast<pid_t>(::syscall(SYS_gettid));
        while (!over) std::this_thread::sleep_for(1ms);
    });
    while (number == 0) std::this_thread::yield();
    const pid_t stranger = ::fork();
    if (stranger == 0) {
        ::pause();
        ::_exit(0);
    }
    const bool scoped = ::syscall(444, nullptr, 0, 1) >= 6;  // Landlock's ABI version
    const auto ran = run(shell("kill -0 " + std::to_string(number) + " && echo thread; kill -0 " +
                               std::to_string(stranger) + " && echo stranger; echo end"));
    over = true;
    other.join();
    ::kill(stranger, SIGKILL);
    ::waitpid(stranger, nullptr, 0);
    CHECK(ran.said.at(1) == (scoped ? "end\n" : "thread\nstranger\nend\n"));
}

TEST_CASE("files can be moved and linked between folders") {
    const auto ran = run(shell(
        "cd $(mktemp -d) && mkdir a b && touch a/f && ln a/f b/g && mv a/f b/f && ls b; rm -r "
        "a b"));
    CHECK(ran.said.at(1) == "f\ng\n");
}

TEST_CASE("the whole process tree is killed") {
    pid_t number = 0;
    SUBCASE("a process in the background, when the program ends") {
        const auto ran = run(shell("sleep 100 & echo $!"));
        CHECK(ran.end.ending == Ending::finished);
        CHECK(ran.took < 2000ms);
        number = static_cast<pid_t>(std::stoi(ran.said.at(1)));
    }
    SUBCASE("a process that forks for setsid, and stays in the group") {
        auto start = shell("(setsid sleep 100 || exec sleep 100) & echo $!; wait");
        CHECK(cancelled_after_number(start, number).end.ending == Ending::cancelled);
    }
    SUBCASE("a double fork") {
        auto start = shell("(sh -c 'sleep 100 & echo $!' &); sleep 100");
        CHECK(cancelled_after_number(start, number).end.ending == Ending::cancelled);
    }
    SUBCASE("a process that closes its pipes and continues") {
        auto start = shell("echo $$; exec >&- 2>&- <&-; sleep 100");
        CHECK(cancelled_after_number(start, number).end.ending == Ending::cancelled);
    }
    REQUIRE(number > 1);
    CHECK(is_gone(number));
}

TEST_CASE("much output, and much input") {
    Programs start;
    start.programs = {{{"/usr/bin/head", "-c", "100000000", "/dev/zero"}}};
    std::size_t bytes = 0;
    start.output = [&](int, std::string_view piece) { bytes += piece.size(); };
    start.timeout = 30s;
    CHECK(toolhost::run_programs(start).code() == 0);
    CHECK(bytes == 100'000'000);

    start.programs = {{{"/usr/bin/wc", "-c"}}};
    start.input = std::string(10'000'000, 'x');
    start.output = nullptr;
    CHECK(run(start).said.at(1) == "10000000\n");
}

TEST_CASE("an exception of a callback ends the programs first") {
    pid_t number = 0;
    auto start = shell("echo $$; sleep 100");
    start.output = [&](int, std::string_view bytes) {
        number = static_cast<pid_t>(std::stoi(std::string(bytes)));
        throw std::runtime_error("enough");
    };
    CHECK_THROWS_AS(toolhost::run_programs(start), std::runtime_error);
    CHECK(is_gone(number));
}

TEST_CASE("no descriptor is leaked or inherited") {
    const int stray = ::open("/dev/null", O_RDONLY);  // not marked close-on-exec
    REQUIRE(stray >= 0);
    const auto before = open_descriptors();
    Programs missing;
    missing.programs = {{{"/no/such/program"}}};
    for (int i = 0; i < 20; ++i) {
        run(shell("true"));
        run(missing);
    }
    CHECK(open_descriptors() == before);
    const auto ran = run(shell("for i in 3 4 5 6 7 8 9; do (: <&$i) 2>/dev/null && echo $i; done"));
    CHECK(ran.said.count(1) == 0);
    CHECK(::close(stray) == 0);
}

TEST_CASE("several runs at once, from several threads") {
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int k = 0; k < 10; ++k)
                if (run(shell("exit " + std::to_string(i))).end.code() == i) ++good;
        });
    for (auto& thread : threads) thread.join();
    CHECK(good == 40);
}

TEST_CASE("programs are found along absolute folders only") {
    CHECK(toolhost::find_program("sh", "/no/such:/bin") == "/bin/sh");
    CHECK_FALSE(toolhost::find_program("sh", "bin:.:"));
    CHECK_FALSE(toolhost::find_program("/bin/sh", "/bin"));
    CHECK_FALSE(toolhost::find_program("", "/bin"));
    CHECK_FALSE(toolhost::find_program("usr", "/"));  // a folder
}

}  // namespace
