#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <boost/filesystem/fstream.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/os/descriptor.hpp"
#include "tests/bench/bench.hpp"

namespace toolhost::bench {
namespace fs = boost::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Run {
    double milliseconds = 0;
    long resident_kb = 0;
};

// Runs `toolhost list --json` and discards its output.
Run list(const std::string& folder, const std::string& cache) {
    auto start = Clock::now();
    pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("fork");
    if (pid == 0) {
        int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, 1);
        ::setenv("TOOLHOST_CACHE", cache.c_str(), 1);
        ::execl(TOOLHOST_BINARY, "toolhost", "list", "--json", "--only-plugins", folder.c_str(),
                nullptr);
        ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    if (::wait4(pid, &status, 0, &usage) != pid || status != 0)
        throw std::runtime_error("toolhost list failed");
    return {milliseconds_since(start), usage.ru_maxrss};
}

// The minimum of any warm start: list the folder and stat each file.
double look_at_files(const std::string& folder) {
    auto start = Clock::now();
    std::uintmax_t total = 0;
    for (fs::directory_iterator it(folder), end; it != end; ++it) {
        struct stat info {};
        if (::stat(it->path().c_str(), &info) == 0)
            total += static_cast<std::uintmax_t>(info.st_size);
    }
    if (total == 0) throw std::runtime_error("no files");
    return milliseconds_since(start);
}

// Copies of the benchmark plugin, each with its own name.
void make_plugins(const std::string& folder, int count) {
    std::string content;
    if (!os::read_file(TOOLHOST_FIXTURES "/bench_plugin/bench_plugin.so", 1u << 24, content))
        throw std::runtime_error("the bench plugin is not built");
    const auto at = content.find("bench_00000000");
    if (at == std::string::npos) throw std::runtime_error("the bench plugin has no name");
    fs::create_directories(folder);
    for (int i = 0; i < count; ++i) {
        char name[32];
        std::snprintf(name, sizeof name, "bench_%08d", i);
        content.replace(at, 14, name, 14);
        const auto path = folder + '/' + name + ".so";
        fs::ofstream(path, std::ios::binary) << content;
        // As old as an installed plugin; a file written in this second is compared by content.
        timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 0}};
        if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0)
            throw std::runtime_error("utimensat");
    }
}

void bench_count(const std::string& base, int count) {
    const auto folder = base + "/plugins-" + std::to_string(count);
    make_plugins(folder, count);
    const auto cache = base + "/cache-" + std::to_string(count);
    auto cold = list(folder, cache);
    std::vector<double> warm, floor, empty;
    long resident = 0;
    fs::create_directories(base + "/none");
    for (int i = 0; i < 15; ++i) {
        auto run = list(folder, cache);
        warm.push_back(run.milliseconds);
        resident = std::max(resident, run.resident_kb);
        floor.push_back(look_at_files(folder));
        empty.push_back(list(base + "/none", cache + "-none").milliseconds);
    }
    std::printf("%8d %10.1f %12.2f %10.1f %10.1f %10.2f %10.1f %9.1f\n", count, cold.milliseconds,
                cold.milliseconds / count, median(warm), median(empty), median(floor),
                (median(warm) - median(empty)) * 1000 / count,
                static_cast<double>(resident) / 1024);
}

}  // namespace

void bench_scan() {
    std::string base = (fs::temp_directory_path() / "toolhost-bench-XXXXXX").string();
    if (!::mkdtemp(base.data())) throw std::runtime_error("mkdtemp");
    std::printf(
        "toolhost list --json: a cold start probes every plugin, a warm one none.\n"
        "floor: listing the folder and stat() of each file, in this process.\n"
        "%8s %10s %12s %10s %10s %10s %10s %9s\n",
        "plugins", "cold ms", "cold each", "warm ms", "empty ms", "floor ms", "us each", "RSS MB");
    for (int count : {10, 100, 1000}) bench_count(base, count);
    std::printf("us each: (warm - a start with an empty folder) / plugins\n\n");
    fs::remove_all(base);
}

}  // namespace toolhost::bench
