// Valid and hostile calls from several threads, while workers are killed at random. Every request
// must get exactly one result, and nothing may be left at the end.
// usage: toolhost_soak [SECONDS]
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>
#include <boost/filesystem.hpp>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "host/host.hpp"
#include "host/os/runners.hpp"
#include "tests/soak/footprint.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::soak {
namespace {

constexpr unsigned kThreads = 4;
constexpr std::size_t kRssSlackKb = 64u << 10;

struct Scenario {
    const char* tool;
    const char* input;
};
constexpr Scenario kGood[] = {{"echo", R"({"a":1})"},
                              {"adder", R"({"a":1,"b":2})"},
                              {"streamer", "{}"},
                              {"failer", "{}"},
                              {"waiter", R"({"ms":1})"},
                              {"overlap_concurrent", "{}"},
                              {"caller", R"({"ref":"echo"})"},
                              {"caller", R"({"ref":"caller"})"},
                              {"caller", R"({"ref":"hostile_crash","how":"segfault"})"}};
constexpr Scenario kHostile[] = {{"hostile_crash", R"({"how":"segfault"})"},
                                 {"hostile_crash", R"({"how":"abort"})"},
                                 {"hostile_crash", R"({"how":"exit"})"},
                                 {"hostile_crash", R"({"how":"kill_all"})"},
                                 {"hostile_hang", R"({"how":"until_cancelled"})"},
                                 {"hostile_hang", R"({"how":"signals_blocked"})"},
                                 {"hostile_hang", R"({"how":"emitting"})"},
                                 {"hostile_channel", R"({"how":"unmap"})"},
                                 {"hostile_channel", R"({"how":"random"})"},
                                 {"hostile_channel", R"({"how":"reply_later"})"},
                                 {"hostile_greedy", R"({"how":"memory"})"},
                                 {"hostile_greedy", R"({"how":"stderr"})"}};

struct Counts {
    std::atomic<std::uint64_t> asked{0}, killed{0}, reloads{0};
    std::mutex mutex;
    std::map<std::string, std::uint64_t> codes;
    std::uint64_t unanswered = 0, answered_twice = 0;
};

// One request and how often it was answered.
struct AnswerCounter final : call::CallObserver {
    void finished(call::ToolResult&& result) override {
        if (answers++ == 0)
            code.set_value(result.ok() ? "ok" : std::string(info(result.error->code).name));
    }

    std::promise<std::string> code;
    std::atomic<int> answers{0};
};

void write_profile(const test::TempFolder& folder, int memory_mb) {
    folder.write("soak.yml",
                 "name: soak\nextends: default\ndefaults: { timeoutMs: 300 }\n"
                 "limits: { memoryMb: " +
                     std::to_string(memory_mb) +
                     " }\n"
                     "grants: { caller: [tools] }\n"
                     "workers: { graceMs: 50, maxCrashes: 1000, idleSeconds: 1 }\n"
                     "workspace: " +
                     folder.path() + "\n");
}

std::unique_ptr<core::Host> open_host(const test::TempFolder& plugins,
                                      const test::TempFolder& files) {
    files.write("config.yml", "");
    core::HostOptions options;
    options.plugins.only = {plugins.path()};
    options.config = {files / "config.yml", files / "soak.yml"};
    options.program = TOOLHOST_BINARY;
    options.probe_timeout = std::chrono::minutes(1);
    auto host = core::Host::open(std::move(options));
    if (!host) throw std::runtime_error(host.error().message);
    return *std::move(host);
}

void ask(os::Runners& threads, call::Invoker& invoker, Counts& counts, const Scenario& scenario) {
    // Longer than a call's timeout, its grace period and a delayed restart.
    constexpr std::chrono::seconds kTimeout{20};
    const auto asked = std::make_shared<AnswerCounter>();
    auto code = asked->code.get_future();
    call::ToolUse use;
    use.reference = scenario.tool;
    use.input = Json::parse(scenario.input);
    ++counts.asked;
    threads.run([&invoker, use, asked]() mutable { invoker.start(std::move(use), asked); });
    const bool answered = code.wait_for(kTimeout) == std::future_status::ready;
    std::lock_guard lock(counts.mutex);
    if (answered)
        ++counts.codes[code.get()];
    else
        ++counts.unanswered;
    if (asked->answers > 1) ++counts.answered_twice;
}

void call_until(call::Invoker& invoker, Counts& counts, std::stop_token stop, unsigned seed) {
    std::minstd_rand random(seed);
    os::Runners threads;
    while (!stop.stop_requested()) {
        const bool hostile = random() % 10 == 0;
        ask(threads, invoker, counts,
            hostile ? kHostile[random() % std::size(kHostile)]
                    : kGood[random() % std::size(kGood)]);
    }
}

// Running calls keep the profile and the catalogue that they started with. Two limits alternate, so
// that workers of both exist.
void reload_until(core::Host& host, const test::TempFolder& files, Counts& counts,
                  std::stop_token stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        write_profile(files, counts.reloads++ % 2 == 0 ? 160 : 128);
        host.reload();
    }
}

// Only processes that this one started are its descendants.
void kill_until(Counts& counts, std::stop_token stop) {
    std::minstd_rand random(7);
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto below = descendants();
        if (below.empty()) continue;
        auto it = below.begin();
        std::advance(it, random() % below.size());
        if (::kill(*it, SIGKILL) == 0) ++counts.killed;
    }
}

// A worker whose reaper was killed ends a moment later, and this process must reap it.
std::size_t remaining() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    for (;;) {
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        const auto left = descendants().size();
        if (left == 0 || std::chrono::steady_clock::now() > end) return left;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

int complain(const char* what, std::size_t before, std::size_t after) {
    std::printf("LEFT BEHIND: %s: %zu before, %zu after\n", what, before, after);
    return 1;
}

}  // namespace

int run(std::chrono::seconds time) {
    spdlog::set_level(spdlog::level::critical);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans then become descendants of this process
    test::TempFolder plugins, files;
    ::setenv("TMPDIR", files.path().c_str(), 1);  // the workers' folders are created there
    for (const auto& scenarios :
         {std::span<const Scenario>(kGood), std::span<const Scenario>(kHostile)})
        for (const auto& scenario : scenarios) plugins.take(scenario.tool);
    ::setenv("TOOLHOST_CACHE", (files / "cache").c_str(), 1);
    write_profile(files, 128);
    Counts counts;
    Footprint before;
    {
        const auto host = open_host(plugins, files);
        before = footprint();
        std::stop_source stop;
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 0; i < kThreads; ++i)
                threads.emplace_back(
                    [&, i] { call_until(host->invoker(), counts, stop.get_token(), i + 1); });
            threads.emplace_back([&] { kill_until(counts, stop.get_token()); });
            threads.emplace_back([&] { reload_until(*host, files, counts, stop.get_token()); });
            std::this_thread::sleep_for(time);
            stop.request_stop();
        }
    }
    const auto after = footprint();
    std::printf("%llu calls, %llu processes killed, %llu reloads\n",
                static_cast<unsigned long long>(counts.asked.load()),
                static_cast<unsigned long long>(counts.killed.load()),
                static_cast<unsigned long long>(counts.reloads.load()));
    for (const auto& [code, count] : counts.codes)
        std::printf("  %-22s %8llu\n", code.c_str(), static_cast<unsigned long long>(count));
    std::printf("resident: %zu kB before, %zu kB after\n", before.rss_kb, after.rss_kb);
    int bad = 0;
    if (counts.unanswered > 0) bad |= complain("requests without a result", 0, counts.unanswered);
    if (counts.answered_twice > 0)
        bad |= complain("requests with two results", 0, counts.answered_twice);
    if (counts.codes["ok"] == 0) bad |= complain("successes", 1, 0);
    if (auto left = remaining(); left > 0) bad |= complain("processes", 0, left);
    // The host was destroyed, and with it its own resources.
    if (after.descriptors > before.descriptors)
        bad |= complain("descriptors", before.descriptors, after.descriptors);
    if (after.rss_kb > before.rss_kb + kRssSlackKb)
        bad |= complain("kB of memory", before.rss_kb, after.rss_kb);
    std::size_t folders = 0;
    for (const auto& entry : boost::filesystem::recursive_directory_iterator(files.path()))
        folders += entry.path().filename().string().starts_with("worker-") ? 1 : 0;
    if (folders > 0) bad |= complain("temporary folders", 0, folders);
    return bad;
}

}  // namespace toolhost::soak

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 120;
    if (seconds < 1) {
        std::fprintf(stderr, "usage: toolhost_soak [SECONDS]\n");
        return 2;
    }
    return toolhost::soak::run(std::chrono::seconds(seconds));
}
