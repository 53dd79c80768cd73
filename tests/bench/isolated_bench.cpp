// The cost of a process boundary: a warm isolated call compared with the same call in-process, and
// with the two basic ways for processes to wake each other, all in one run.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>

#include "host/call/histogram.hpp"
#include "host/loading/library_files.hpp"
#include "host/os/descriptor.hpp"
#include "host/runtime/in_process.hpp"
#include "host/runtime/isolated.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/no_host.hpp"
#include "tests/soak/footprint.hpp"

namespace toolhost::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Latency {
    double p50 = 0, p99 = 0;  // microseconds
};

Latency measure(int rounds, unsigned threads, const std::function<void()>& once) {
    call::Histogram histogram;
    auto run = [&] {
        for (int i = 0; i < rounds; ++i) {
            const auto start = Clock::now();
            once();
            histogram.add(
                static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count()));
        }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(run);
    run();
    others.clear();
    return {static_cast<double>(histogram.percentile(0.5)) / 1000,
            static_cast<double>(histogram.percentile(0.99)) / 1000};
}

// The floor: one process wakes another by a futex, and is woken by it.
Latency futex_ping_pong(int rounds) {
    struct Words {
        os::FutexWord ping, pong;
    };
    auto* words = static_cast<Words*>(
        ::mmap(nullptr, sizeof(Words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (words == MAP_FAILED) throw std::runtime_error("mmap");
    using os::FutexScope;
    auto await = [](os::FutexWord& word, std::uint32_t value) {
        for (std::uint32_t seen; (seen = word.load()) != value;)
            os::futex_wait(word, seen, std::nullopt, FutexScope::shared);
    };
    auto tell = [](os::FutexWord& word, std::uint32_t value) {
        word = value;
        os::futex_wake(word, 1, FutexScope::shared);
    };
    const auto total = static_cast<std::uint32_t>(rounds);
    const pid_t child = ::fork();
    if (child == 0) {
        for (std::uint32_t i = 1; i <= total; ++i) {
            await(words->ping, i);
            tell(words->pong, i);
        }
        ::_exit(0);
    }
    std::uint32_t i = 0;
    const auto latency = measure(rounds, 1, [&] {
        tell(words->ping, ++i);
        await(words->pong, i);
    });
    ::waitpid(child, nullptr, 0);
    ::munmap(words, sizeof(Words));
    return latency;
}

Latency socket_ping_pong(int rounds) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("socketpair");
    os::Descriptor here(ends[0]), there(ends[1]);
    char byte = 0;
    const pid_t child = ::fork();
    if (child == 0) {
        here.reset();
        while (::read(there.get(), &byte, 1) == 1)
            if (::write(there.get(), &byte, 1) != 1) break;
        ::_exit(0);
    }
    there.reset();
    const auto latency = measure(rounds, 1, [&] {
        if (::write(here.get(), &byte, 1) != 1 || ::read(here.get(), &byte, 1) != 1)
            throw std::runtime_error("socketpair");
    });
    here.reset();
    ::waitpid(child, nullptr, 0);
    return latency;
}

// The benchmark's plugin replies its input.
struct Called {
    registry::Library library{TOOLHOST_FIXTURES "/bench_echo/bench_echo.so", "", TOOL_CONCURRENT,
                              false};
    worker::WorkerConfig config;
    Called() {
        library.identity = *loading::library_identity(library.path, false);
        config.confinement.sandbox = sandbox::Enforcement::required;
        config.confinement.limits.memory_mb = 512;
    }

    void once(runtime::Runtime& runtime, std::string_view input) const {
        runtime::PlacedInvocation invocation{"bench_echo", "id", input, "{}", "{}"};
        invocation.config = &config;
        if (dynamic_cast<runtime::Isolated*>(&runtime))
            invocation.isolation = runtime::Isolation::process;
        const auto call = std::make_shared<NoHost>();
        runtime.invoke(library, invocation, call, {});
        const auto& outcome = *call->outcome;
        if (!outcome) throw std::runtime_error(outcome.error().message);
        if (outcome->content.size() != input.size()) throw std::runtime_error("cut");
    }
};

// Milliseconds of CPU that this process and its workers use while idle.
double cpu_at_rest() {
    auto used = [] {
        double ticks = soak::cpu_ticks(::getpid());
        for (const pid_t process : soak::descendants()) ticks += soak::cpu_ticks(process);
        return ticks * 1000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    };
    const double before = used();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return used() - before;
}

void print(const std::string& name, const Latency& latency) {
    std::printf("%-38s %9.2f %9.2f\n", name.c_str(), latency.p50, latency.p99);
}

}  // namespace

void bench_isolated() {
    const Called called;
    runtime::InProcess in_process("");
    std::printf("\nacross a process boundary, in microseconds\n%-38s %9s %9s\n", "", "p50", "p99");
    const auto futex = futex_ping_pong(20000), socket = socket_ping_pong(20000);
    print("floor: futex there and back", futex);
    print("floor: socketpair there and back", socket);
    {
        const auto start = Clock::now();
        runtime::Isolated fresh({TOOLHOST_BINARY, "", ""});
        called.once(fresh, "[]");
        const double first =
            std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        std::printf("%-38s %9.0f\n", "first call: spawn, close, load, call", first);
    }
    runtime::Isolated isolated({TOOLHOST_BINARY, "", ""});
    double small = 0, small_in_process = 0;
    for (const auto& [name, bytes, rounds] :
         {std::tuple{"64 B", 64u, 20000}, {"4 KiB", 4096u, 20000}, {"1 MiB", 1u << 20, 300}}) {
        const std::string input = '"' + std::string(bytes - 2, 'x') + '"';
        for (unsigned threads : {1u, 4u}) {
            const auto label = std::string(name) + ", " + std::to_string(threads) + " at once";
            const auto inside = measure(rounds, threads, [&] { called.once(in_process, input); });
            const auto outside = measure(rounds, threads, [&] { called.once(isolated, input); });
            print("in-process, " + label, inside);
            print("isolated,   " + label, outside);
            if (small == 0) {
                small = outside.p50;
                small_in_process = inside.p50;
            }
        }
    }
    std::printf("CPU of host and worker in a second at rest: %.1f ms\n", cpu_at_rest());
    std::printf("isolated 64 B: %.2f times (2 x futex + in-process), goal 1; %.2f of socketpair\n",
                small / (2 * futex.p50 + small_in_process), small / socket.p50);
}

}  // namespace toolhost::bench
