// A warm, isolated http_request compared with `curl` as a process, as a shell tool would run it,
// with one server on loopback.
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include "host/call/histogram.hpp"
#include "host/os/content_hash.hpp"
#include "host/runtime/isolated.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/no_host.hpp"
#include "tests/tools/http_request/server.hpp"

extern char** environ;

namespace toolhost::bench {
namespace {

using Clock = std::chrono::steady_clock;

double median_us(int rounds, const std::function<void()>& once) {
    call::Histogram histogram;
    for (int i = 0; i < rounds; ++i) {
        const auto start = Clock::now();
        once();
        histogram.add(
            static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count()));
    }
    return static_cast<double>(histogram.percentile(0.5)) / 1000;
}

void run_curl(std::string url) {
    std::string name = "curl", quiet = "-s", to = "-o", nowhere = "/dev/null", plain = "--noproxy",
                all = "*";
    char* args[] = {name.data(),  quiet.data(), to.data(),  nowhere.data(),
                    plain.data(), all.data(),   url.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    if (::posix_spawnp(&child, "curl", nullptr, nullptr, args, environ) != 0 ||
        ::waitpid(child, &status, 0) != child || status != 0)
        throw std::runtime_error("curl did not run; it is in Debian's package curl");
}

class Tool {
public:
    Tool() {
        auto file = os::open_for_reading(library_.path);
        library_.sha256 = os::hash_file(file.get());
        config_.confinement.sandbox = sandbox::Enforcement::required;
        config_.confinement.limits.memory_mb = 512;
        config_.confinement.network = true;
    }

    void once(const std::string& url) {
        const std::string input = R"({"method":"GET","url":")" + url + "\"}";
        runtime::PlacedInvocation invocation{"http_request", "id", input,
                                             R"({"private_addresses":["127.0.0.1"]})", "{}"};
        invocation.config = &config_;
        const auto outcome = runtime_.run(library_, invocation, *host_, {});
        if (!outcome) throw std::runtime_error(outcome.error().message);
        if (outcome->status != TOOL_OK) throw std::runtime_error("http_request failed");
    }

private:
    registry::Library library_{TOOLHOST_SHIPPED "/http_request.so", "", TOOL_CONCURRENT, false};
    worker::WorkerConfig config_;
    std::shared_ptr<NoHost> host_ = std::make_shared<NoHost>();
    runtime::Isolated runtime_{{TOOLHOST_BINARY, "", ""}};
};

}  // namespace

void bench_http() {
    Tool tool;
    std::printf("\nan HTTP request on loopback, in microseconds\n%-16s %12s %12s %9s\n", "body",
                "http_request", "curl started", "ratio");
    for (const auto& [name, bytes] : {std::pair{"100 B", 100u}, {"1 MiB", 1u << 20}}) {
        const std::string body(bytes, 'x');
        const test::Server server([&](const test::ReceivedRequest&, test::Wire& wire) {
            wire.answer(200, "Content-Type: text/plain\r\n", body);
        });
        tool.once(server.url());  // the worker is warm from here on
        const double warm = median_us(100, [&] { tool.once(server.url()); });
        const double started = median_us(100, [&] { run_curl(server.url()); });
        std::printf("%-16s %12.0f %12.0f %9.2f\n", name, warm, started, warm / started);
    }
    std::printf("goal: a ratio of at most 1\n");
}

}  // namespace toolhost::bench
