// The git tool in its sandboxed worker compared with the git command as a process, on a generated
// repository with 5,000 commits: the time that an agent waits.
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "host/runtime/isolated.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/no_host.hpp"

namespace toolhost::bench {
namespace fs = boost::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

class Folder {
public:
    Folder() {
        auto pattern = (fs::temp_directory_path() / "toolhost-bench-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
        path_ = pattern;
    }
    ~Folder() {
        boost::system::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

// Without a shell; the output is discarded.
void run_program(const std::vector<std::string>& args) {
    std::vector<std::string> texts = args;
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    if (::posix_spawn_file_actions_init(&actions) != 0) throw std::runtime_error("posix_spawn");
    pid_t pid = -1;
    int status = -1;
    const bool started =
        ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
        ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), environ) == 0;
    ::posix_spawn_file_actions_destroy(&actions);
    if (!started || ::waitpid(pid, &status, 0) != pid || status != 0)
        throw std::runtime_error(args[0] + " failed; is it installed?");
}

// 5,000 commits of 400 files in 20 folders, and a few uncommitted changes.
void make_repository(const std::string& folder) {
    const std::string script = R"(set -e
cd "$1"; git init -q -b main; i=0
while [ $i -lt 5000 ]; do i=$((i+1))
printf 'commit refs/heads/main\ncommitter C <c@example.com> %d +0000\ndata <<E\nCommit %d\n\nIts body.\nE\nM 100644 inline d%d/f%d.txt\ndata <<E\n%d\nE\n\n' \
  $((1700000000+i*60)) $i $((i%20)) $((i%400)) $i
done | git fast-import --quiet
git reset -q --hard; git gc -q; sleep 1.1; git status > /dev/null
echo changed > d1/f1.txt; echo new > d1/new.txt; git add d1/new.txt; echo x > untracked.txt)";
    run_program({"sh", "-c", script, "sh", folder});
}

// The shipped library in a worker with the default profile's sandbox.
class Tool {
public:
    explicit Tool(const std::string& workspace)
        : policy_("{\"workspace\":\"" + workspace + "\"}"), isolated_({TOOLHOST_BINARY, "", ""}) {
        auto file = os::open_for_reading(library_.path);
        library_.sha256 = os::hash_file(file.get());
        config_.confinement.sandbox = sandbox::Enforcement::required;
        config_.confinement.limits.memory_mb = 512;
        config_.confinement.read = {workspace};
    }

    void call(std::string_view input) {
        runtime::PlacedInvocation invocation{"git", "id", input, policy_, "{}"};
        invocation.config = &config_;
        const auto outcome = isolated_.run(library_, invocation, *host_, {});
        if (!outcome) throw std::runtime_error(outcome.error().message);
        if (outcome->status != TOOL_OK || outcome->content.size() < 100)
            throw std::runtime_error("the git tool failed");
    }

private:
    registry::Library library_{TOOLHOST_SHIPPED "/git.so", "", TOOL_SERIAL, false};
    worker::WorkerConfig config_;
    std::string policy_;
    std::shared_ptr<NoHost> host_ = std::make_shared<NoHost>();
    runtime::Isolated isolated_;
};

double median_ms(const std::function<void()>& once) {
    constexpr int kRounds = 41;
    std::vector<double> times;
    for (int i = 0; i < kRounds; ++i) {
        const auto start = Clock::now();
        once();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
    return times[kRounds / 2];
}

}  // namespace

void bench_git() {
    const Folder folder;
    make_repository(folder.path());
    Tool tool(folder.path());
    const auto git = [&](std::vector<std::string> args) {
        args.insert(args.begin(), {"git", "--no-optional-locks", "-C", folder.path()});
        run_program(args);
    };
    struct Row {
        const char* name;
        const char* input;
        std::vector<std::string> args;
    };
    const Row rows[] = {
        {"status", R"({"action":"status"})", {"status", "--porcelain", "-b"}},
        {"log, 20 commits", R"({"action":"log"})", {"log", "-20"}},
        {"log, by author, all",
         R"({"action":"log","author":"nobody"})",
         {"log", "--author=nobody"}},
        {"log, of a file",
         R"({"action":"log","path":"d7/f7.txt"})",
         {"log", "-20", "--", "d7/f7.txt"}},
        {"diff", R"({"action":"diff"})", {"diff"}},
        {"show", R"({"action":"show"})", {"show"}},
        {"blame", R"({"action":"blame","path":"d7/f7.txt"})", {"blame", "d7/f7.txt"}},
    };
    std::printf(
        "\ngit, 5,000 commits, in milliseconds (goal: ratio at most 1)\n%-24s %9s %9s %7s\n", "",
        "tool", "process", "ratio");
    for (const auto& row : rows) {
        tool.call(row.input);
        const double own = median_ms([&] { tool.call(row.input); });
        const double process = median_ms([&] { git(row.args); });
        std::printf("%-24s %9.2f %9.2f %7.2f\n", row.name, own, process, own / process);
    }
}

}  // namespace toolhost::bench
