// Good and hostile calls from several threads for a while, with workers killed at random in
// between. Every request must get exactly one result, and in the end nothing may be left. usage:
// toolhost_soak [SECONDS]
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>
#include <boost/filesystem.hpp>
#include <cstdio>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "host/call/invoker.hpp"
#include "host/discovery/scan.hpp"
#include "host/runtime/runtimes.hpp"
#include "tests/soak/footprint.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::soak {
namespace {

constexpr unsigned kThreads = 4;
constexpr std::size_t kRssSlackKb = 64u << 10;

struct Deed {
    const char* tool;
    const char* input;
};
constexpr Deed kGood[] = {{"echo", R"({"a":1})"},
                          {"adder", R"({"a":1,"b":2})"},
                          {"streamer", "{}"},
                          {"failer", "{}"},
                          {"waiter", R"({"ms":1})"}};
constexpr Deed kHostile[] = {{"hostile_crash", R"({"how":"segfault"})"},
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
    std::atomic<std::uint64_t> asked{0}, answered{0}, killed{0};
    std::mutex mutex;
    std::map<std::string, std::uint64_t> codes;
};

void fill(registry::Registry& registry, const std::string& folder) {
    discovery::ScanOptions options;
    options.folders = {folder};
    options.probe.program = TOOLHOST_BINARY;
    options.probe.deadline = std::chrono::minutes(1);
    auto report = discovery::scan(options);
    auto filled = registry.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report);
        return {};
    });
    if (!filled) throw std::runtime_error(filled.error().message);
}

policy::ProfilePtr profile(const test::TempFolder& folder) {
    folder.write("soak.yml",
                 "name: soak\nextends: default\ndefaults: { timeoutMs: 300 }\n"
                 "limits: { memoryMb: 128 }\n"
                 "workers: { graceMs: 50, maxCrashes: 1000, idleSeconds: 1 }\n"
                 "workspace: " +
                     folder.path() + "\n");
    auto loaded = policy::load_profile(folder / "soak.yml", "");
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return *loaded;
}

void call_until(call::Invoker& invoker, Counts& counts, std::stop_token stop, unsigned seed) {
    std::minstd_rand random(seed);
    while (!stop.stop_requested()) {
        const bool hostile = random() % 10 == 0;
        const Deed& deed =
            hostile ? kHostile[random() % std::size(kHostile)] : kGood[random() % std::size(kGood)];
        call::ToolUse use;
        use.reference = deed.tool;
        use.input = Json::parse(deed.input);
        ++counts.asked;
        const auto result = invoker.call(std::move(use));
        ++counts.answered;
        std::lock_guard lock(counts.mutex);
        ++counts.codes[result.ok() ? "ok" : std::string(info(result.error->code).name)];
    }
}

// Only processes that this one started are below it.
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

// Whose keeper was killed dies of that a moment later, and is this process's to bury.
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
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans are then found below this process, too
    test::TempFolder plugins, files;
    ::setenv("TMPDIR", files.path().c_str(), 1);  // where the workers' folders are made
    for (const auto& deeds : {std::span<const Deed>(kGood), std::span<const Deed>(kHostile)})
        for (const auto& deed : deeds) plugins.take(deed.tool);
    registry::Registry registry;
    fill(registry, plugins.path());
    Counts counts;
    Footprint before;
    {
        runtime::Runtimes runtime({TOOLHOST_BINARY, files / "copies", ""});
        call::InvokerOptions options;
        options.profile = profile(files);
        call::Invoker invoker(registry, runtime, std::move(options));
        before = footprint();
        std::stop_source stop;
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 0; i < kThreads; ++i)
                threads.emplace_back(
                    [&, i] { call_until(invoker, counts, stop.get_token(), i + 1); });
            threads.emplace_back([&] { kill_until(counts, stop.get_token()); });
            std::this_thread::sleep_for(time);
            stop.request_stop();
        }
    }
    const auto after = footprint();
    std::printf("%llu calls, %llu processes killed\n",
                static_cast<unsigned long long>(counts.asked.load()),
                static_cast<unsigned long long>(counts.killed.load()));
    for (const auto& [code, count] : counts.codes)
        std::printf("  %-22s %8llu\n", code.c_str(), static_cast<unsigned long long>(count));
    std::printf("resident: %zu kB before, %zu kB after\n", before.rss_kb, after.rss_kb);
    int bad = 0;
    if (counts.asked != counts.answered) bad |= complain("results", counts.asked, counts.answered);
    if (counts.codes["ok"] == 0) bad |= complain("successes", 1, 0);
    if (auto left = remaining(); left > 0) bad |= complain("processes", 0, left);
    // The runtime is gone by now, and with it its own.
    if (after.descriptors > before.descriptors)
        bad |= complain("descriptors", before.descriptors, after.descriptors);
    if (after.rss_kb > before.rss_kb + kRssSlackKb)
        bad |= complain("kB of memory", before.rss_kb, after.rss_kb);
    std::size_t folders = 0;
    for (const auto& entry : boost::filesystem::directory_iterator(files.path()))
        folders += entry.path().filename().string().starts_with("toolhost-") ? 1 : 0;
    if (folders > counts.killed) bad |= complain("temporary folders", counts.killed, folders);
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
