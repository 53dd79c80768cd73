#include "host/sandbox/resource_limits.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "host/os/descriptor.hpp"
#include "host/os/instrumented.hpp"

namespace toolhost::sandbox {
namespace {

bool limited_processes = false;

// Sets the soft and hard limit. A limit that is already lower is kept.
bool limit(int resource, std::uint64_t value) {
    rlimit now{};
    const auto kind = static_cast<__rlimit_resource>(resource);
    if (::getrlimit(kind, &now) != 0) return false;
    now.rlim_max = std::min<rlim_t>(value, now.rlim_max);
    now.rlim_cur = now.rlim_max;
    return ::setrlimit(kind, &now) == 0;
}

// Limits are configured: a value that is too large means no limit.
std::uint64_t bytes(std::uint64_t megabytes, std::uint64_t more = 0) {
    constexpr std::uint64_t kMax = std::uint64_t{1} << 62;
    if (megabytes >= kMax >> 20) return kMax;
    return std::min((megabytes << 20) + more, kMax);
}

// The address space of the stack of a new thread of the host.
std::uint64_t stack_bytes() {
    rlimit stack{};
    constexpr std::uint64_t kUsual = 8u << 20;
    if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY) return kUsual;
    return stack.rlim_cur;
}

}  // namespace

std::uint64_t mapped_bytes() {
    std::string text;
    unsigned long long pages = 0;
    if (!os::read_file("/proc/self/statm", 4096, text) ||
        std::sscanf(text.c_str(), "%llu", &pages) != 1)
        return 0;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

Result<void> limit_resources(const ResourceLimits& limits, std::uint64_t mapped,
                             std::uint64_t own_tasks, bool count_processes) {
    const char* failed = nullptr;
    auto apply = [&](const char* name, int resource, std::uint64_t value) {
        if (!failed && !limit(resource, value)) failed = name;
    };
    apply("core", RLIMIT_CORE, 0);
    if (limits.open_files) apply("openFiles", RLIMIT_NOFILE, *limits.open_files);
    // Coverage writes files of its own; sanitizers reserve terabytes of address space.
    if (limits.file_size_mb && !os::kCoverageFolder)
        apply("fileSizeMb", RLIMIT_FSIZE, bytes(*limits.file_size_mb));
    if (limits.memory_mb && !os::kSanitized && !os::kCoverageFolder)
        apply("memoryMb", RLIMIT_AS, bytes(*limits.memory_mb, mapped + own_tasks * stack_bytes()));
    if (limits.processes && count_processes) {
        apply("processes", RLIMIT_NPROC, bytes(0, *limits.processes) + own_tasks);
        limited_processes = !failed;
    }
    if (!failed) return {};
    return Error{ErrorCode::sandbox_unavailable,
                 std::string("cannot set the limit ") + failed + ": " + os::system_message(errno),
                 {}};
}

void limit_process_numbers(std::uint64_t most) {
    utsname kernel{};
    int major = 0, minor = 0;
    if (::uname(&kernel) != 0 || std::sscanf(kernel.release, "%d.%d", &major, &minor) != 2) return;
    // Before Linux 6.14 there is only the machine's limit.
    if (std::pair(major, minor) < std::pair(6, 14)) return;
    constexpr std::uint64_t kReserved = 300;  // numbers that the kernel does not reuse
    const auto text = std::to_string(bytes(0, most) + kReserved);
    os::Descriptor bound(::open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC));
    // Only root may set it, and only root needs it.
    if (bound) static_cast<void>(os::write_all(bound.get(), text));
}

bool processes_are_limited() {
    return limited_processes;
}

void allow_cpu_seconds(std::uint64_t seconds) {
    rusage used{};
    rlimit now{};
    if (::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &now) != 0) return;
    // The kernel counts whole seconds, so the current second is granted in addition.
    const auto micros = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000 +
                        used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    const auto begun = static_cast<std::uint64_t>(micros / 1'000'000 + 1);
    const std::uint64_t until = bytes(0, seconds) + begun;
    now.rlim_cur = std::min<rlim_t>(until, now.rlim_max);
    // Fails only if foreign code has lowered the hard limit, which affects only itself.
    static_cast<void>(::setrlimit(RLIMIT_CPU, &now));
}

}  // namespace toolhost::sandbox
