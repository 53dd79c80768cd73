// The file tools on a tree of 20,000 files, compared with programs that a user would run instead.
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/call/invoker.hpp"
#include "host/discovery/folders.hpp"
#include "host/discovery/scan.hpp"
#include "host/policy/profile.hpp"
#include "host/runtime/runtimes.hpp"
#include "tests/bench/bench.hpp"

namespace toolhost::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kFolders = 200, kFilesEach = 100, kRounds = 7;

// 20,000 source files; one in a hundred contains the searched word.
class MadeTree {
public:
    MadeTree() {
        std::string name = (fs::temp_directory_path() / "toolhost-files-XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
        root = name;
        std::string text;
        for (int i = 0; i < 40; ++i)
            text += "static int value_" + std::to_string(i) + " = compute(" + std::to_string(i) +
                    ", other);  // as it was\n";
        for (int folder = 0; folder < kFolders; ++folder) {
            const fs::path path =
                root / ("part" + std::to_string(folder % 10)) / ("folder" + std::to_string(folder));
            fs::create_directories(path);
            for (int file = 0; file < kFilesEach; ++file) {
                std::ofstream out(path / ("file" + std::to_string(file) + ".c"));
                out << text;
                if (file == folder % kFilesEach) out << "int needle_" << folder << ";\n";
            }
        }
    }
    ~MadeTree() {
        std::error_code fault;
        fs::remove_all(root, fault);
    }
    MadeTree(const MadeTree&) = delete;
    MadeTree& operator=(const MadeTree&) = delete;

    fs::path root;
};

// The host as in a server: tools are found, workers are warm.
class Host {
public:
    explicit Host(const fs::path& workspace) : runtime_({TOOLHOST_BINARY, "", ""}) {
        discovery::ScanOptions options;
        options.folders = {TOOLHOST_SHIPPED};
        options.probe.program = TOOLHOST_BINARY;
        auto report = discovery::scan(options);
        auto filled = registry_.change([&](registry::Draft& draft) -> Result<void> {
            draft = discovery::take_tools(report, options);
            return {};
        });
        if (!filled) throw std::runtime_error(filled.error().message);
        auto layers = policy::built_in_profile()->layers();
        auto layer = policy::read_layer("workspace: " + workspace.string(), "", "bench");
        if (!layer) throw std::runtime_error(layer.error().message);
        layers.push_back(*layer);
        call::InvokerOptions governed;
        governed.rules.profile = std::make_shared<const policy::Profile>(std::move(layers));
        invoker_.emplace(registry_, runtime_, std::move(governed));
    }

    void call(const char* tool, Json input) {
        call::ToolUse use;
        use.reference = tool;
        use.input = std::move(input);
        const auto result = invoker_->call(std::move(use));
        if (!result.ok()) throw std::runtime_error(result.error->message);
    }

private:
    registry::Registry registry_;
    runtime::Runtimes runtime_;
    std::optional<call::Invoker> invoker_;
};

// Runs a program and reads its output; returns false if it is not installed. Not to /dev/null,
// because grep would notice it and stop at the first match.
bool run_program(std::vector<std::string> words) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = -1;
    const int fault =
        ::posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::array<char, 65536> buffer{};
    while (fault == 0 && ::read(ends[0], buffer.data(), buffer.size()) > 0) {
    }
    ::close(ends[0]);
    int status = 0;
    if (fault == 0 && ::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
    return fault == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Rival {
    const char* name;
    std::function<void()> run;
    std::vector<double> times{};  // milliseconds

    [[nodiscard]] double median() {
        std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
        return times[kRounds / 2];
    }
};

// Takes turns, so that a slower machine affects all of them. The first one is compared with the
// others.
void compare(const char* title, std::vector<Rival> rivals) {
    for (int round = -1; round < kRounds; ++round)
        for (auto& rival : rivals) {
            const auto start = Clock::now();
            rival.run();
            const std::chrono::duration<double, std::milli> took = Clock::now() - start;
            if (round >= 0) rival.times.push_back(took.count());
        }
    const double own = rivals.front().median();
    std::printf("%s\n", title);
    for (auto& rival : rivals)
        std::printf("    %-24s %9.3f ms %9.2f\n", rival.name, rival.median(), own / rival.median());
}

std::function<void()> program(std::vector<std::string> words) {
    return [words] {
        if (!run_program(words)) throw std::runtime_error(words[0] + " failed");
    };
}

}  // namespace

void bench_files() {
    const MadeTree tree;
    Host host(tree.root);
    const std::string root = tree.root.string();
    const bool has_rg = run_program({"rg", "--version"});
    std::printf("\nfiles: %d of them; the last column is the tool's time in those of the other\n",
                kFolders * kFilesEach);
    struct Search {
        const char *title, *pattern;
    };
    for (const Search& search :
         {Search{"search for a word", "needle_"},
          Search{"search for an expression", "needle_[0-9]+;$"},
          Search{"search without any text to skip by", "[n][e]{2}dle_\\d+"}}) {
        std::vector<Rival> rivals{
            {"file_search", [&] {
                 host.call("file_search", {{"pattern", search.pattern}, {"max_results", 1000}});
             }}};
        if (has_rg) rivals.push_back({"rg -n", program({"rg", "-n", search.pattern, root})});
        rivals.push_back({"grep -rnP", program({"grep", "-rnP", search.pattern, root})});
        compare(search.title, std::move(rivals));
    }
    const std::string file = "part3/folder3/file7.c";
    compare("read a file of 2 KB", {{"file_read",
                                     [&] {
                                         host.call("file_read", {{"path", file}, {"mode", "view"}});
                                     }},
                                    {"cat", program({"cat", root + '/' + file})}});
    compare("find 20,000 files, list 500",
            {{"file_list",
              [&] {
                  host.call("file_list", {{"depth", 10}, {"type", "file"}, {"max_results", 500}});
              }},
             {"find -type f", program({"find", root, "-type", "f", "-printf", "%p %s %t\\n"})}});
    if (!has_rg) std::printf("rg is not installed, and is left out\n");
    std::printf("goals: at most 1 beside a process, at most 2 beside rg\n");
}

}  // namespace toolhost::bench
