// A warm, isolated calculator compared with python3 as a process, with sympy if it is installed,
// which an agent would use instead.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include "host/call/invoker.hpp"
#include "host/policy/profile.hpp"
#include "host/runtime/runtimes.hpp"
#include "tests/bench/bench.hpp"
#include "tests/filled_registry.hpp"

extern char** environ;

namespace toolhost::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 7;

struct Sum {
    const char* name;
    Json input;
    const char* sympy;
    const char* plain;  // the closest equivalent in plain Python
};

std::vector<Sum> sums() {
    return {
        {"arithmetic",
         {{"expression", "2^100 + 1/3"}},
         "print(Integer(2)**100 + Rational(1, 3))",
         "from fractions import Fraction; print(2**100 + Fraction(1, 3))"},
        {"50 digits of pi",
         {{"expression", "pi"}, {"force_numeric", true}, {"precision", 50}},
         "print(N(pi, 50))",
         "import math; print(math.pi)"},
        {"solve",
         {{"expression", "x^2 + 3*x - 10 = 0"}, {"mode", "solve"}},
         "x = Symbol('x'); print(solve(x**2 + 3*x - 10, x))",
         "print((-3 + 49**0.5) / 2, (-3 - 49**0.5) / 2)"},
        {"integrate",
         {{"expression", "x*exp(x)*sin(x)"}, {"mode", "integrate"}},
         "x = Symbol('x'); print(integrate(x*exp(x)*sin(x), x))",
         "print(0)"},
        {"inverse",
         {{"expression", "inverse([[1, 2, 3], [4, 5, 6], [7, 8, 10]])"}, {"mode", "matrix"}},
         "print(Matrix([[1, 2, 3], [4, 5, 6], [7, 8, 10]]).inv())",
         "print(0)"},
    };
}

// Runs a Python program and discards its output; returns false if it fails.
bool run_python(std::string code) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {1, 2})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    std::string name = "python3", flag = "-c";
    std::array<char*, 4> args{name.data(), flag.data(), code.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    const int fault = ::posix_spawnp(&child, "python3", &actions, nullptr, args.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault != 0) throw std::runtime_error("python3 did not start; it is in Debian's package");
    if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double median_ms(const std::function<void()>& once) {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        const auto start = Clock::now();
        once();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return median(times);
}

}  // namespace

void bench_data() {
    registry::Registry registry;
    test::fill(registry, TOOLHOST_SHIPPED);
    runtime::Runtimes runtime({TOOLHOST_BINARY, "", ""});
    call::InvokerOptions options;
    options.rules.profile = policy::built_in_profile();
    call::Invoker invoker(registry, runtime, std::move(options));
    const auto calculate = [&](const Json& input) {
        call::ToolUse use;
        use.reference = "calculator";
        use.input = input;
        const auto result = invoker.call(std::move(use));
        if (!result.ok()) throw std::runtime_error(result.error->message);
    };
    const bool sympy = run_python("import sympy");
    calculate({{"expression", "1"}});  // the worker is warm from here on
    std::printf("\na calculation, in milliseconds\n%-18s %12s %18s %9s\n", "", "calculator",
                sympy ? "python3 and sympy" : "python3 alone", "ratio");
    double worst = 0;
    for (const Sum& sum : sums()) {
        const std::string code =
            sympy ? "from sympy import *; " + std::string(sum.sympy) : sum.plain;
        const double own = median_ms([&] { calculate(sum.input); });
        const double started = median_ms([&] {
            if (!run_python(code)) throw std::runtime_error("python3 failed: " + code);
        });
        worst = std::max(worst, own / started);
        std::printf("%-18s %12.2f %18.1f %9.4f\n", sum.name, own, started, own / started);
    }
    std::printf("worst ratio %.4f, goal: at most 1\n", worst);
}

}  // namespace toolhost::bench
