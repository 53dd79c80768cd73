// Limits in a sandboxed process apply only to what the plugin adds.
#include "host/sandbox/resource_limits.hpp"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <ctime>
#include <thread>

#include "host/os/instrumented.hpp"
#include "host/sandbox/privileges.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/sandbox/closed_child.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::os;
using namespace toolhost::sandbox;
using namespace toolhost::test;

namespace {

Confinement limited(std::optional<std::uint64_t> sandbox::ResourceLimits::*limit,
                    std::uint64_t value,
                    sandbox::Enforcement sandbox = sandbox::Enforcement::best_effort) {
    Confinement out;
    out.sandbox = sandbox;
    out.limits.*limit = value;
    return out;
}

int map(std::size_t megabytes) {
    void* at = ::mmap(nullptr, megabytes << 20, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? errno : 0;
}

void burn(double seconds) {
    const auto until = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
    while (std::clock() < until) {
    }
}

// The kernel does not limit processes of root, so another user is used.
void drop_privileges() {
    if (::geteuid() != 0) return;
    if (::setgroups(0, nullptr) != 0 || ::setresgid(65534, 65534, 65534) != 0 ||
        ::setresuid(65534, 65534, 65534) != 0 ||
        ::prctl(PR_SET_DUMPABLE, 1) != 0)  // otherwise /proc/self would belong to root
        ::_exit(kNotEntered);
}

int start_threads(int count) {
    int started = 0;
    for (; started < count; ++started) {
        try {
            std::thread([] { ::pause(); }).detach();
        } catch (const std::system_error&) {
            break;
        }
    }
    return started;
}

}  // namespace

TEST_CASE("memory beyond the limit is refused, and earlier memory does not count") {
    if (kSanitized || kCoverageFolder) return;
    const auto confinement = limited(&sandbox::ResourceLimits::memory_mb, 64);
    CHECK(try_closed(confinement, {}, [] { return map(48); }) == 0);
    CHECK(try_closed(confinement, {}, [] { return map(80); }) == ENOMEM);
    // Earlier memory does not count.
    CHECK(try_closed(
              confinement, {}, [] { return map(48); }, [] { map(512); }) == 0);
}

TEST_CASE("a file beyond the limit ends the process") {
    if (kCoverageFolder) return;
    const TempFolder temp;
    SandboxNeeds needs;
    needs.temp = temp.path();
    auto fill = [&](std::size_t megabytes) {
        return try_closed(
            limited(&sandbox::ResourceLimits::file_size_mb, 1), needs, [&, megabytes] {
                const int fd = ::open((temp / "file").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
                const std::string block(1u << 19, 'x');
                for (std::size_t i = 0; i < megabytes * 2; ++i)
                    if (::write(fd, block.data(), block.size()) < 0) return errno;
                return 0;
            });
    };
    CHECK(fill(1) == 0);
    CHECK(fill(2) == kDied + SIGXFSZ);
}

TEST_CASE("descriptors beyond the limit are refused") {
    CHECK(try_closed(limited(&sandbox::ResourceLimits::open_files, 32), {}, [] {
              for (int i = 0; i < 64; ++i)
                  if (::open("/dev/null", O_RDONLY) < 0) return errno;
              return 0;
          }) == EMFILE);
}

TEST_CASE("processes beyond the limit are refused, other processes of the user do not count") {
    if (!user_namespaces_work()) {
        std::printf("SKIP: no user namespace, so processes are not limited\n");
        return;
    }
    SandboxNeeds needs;
    needs.own_threads = 2;
    for (const auto sandbox : {sandbox::Enforcement::best_effort, sandbox::Enforcement::off}) {
        const auto confinement = limited(&sandbox::ResourceLimits::processes, 5, sandbox);
        // The user already has other processes.
        const pid_t other = ::fork();
        if (other == 0) {
            drop_privileges();
            start_threads(20);
            ::pause();
            ::_exit(0);
        }
        CHECK(try_closed(
                  confinement, needs,
                  [] { return processes_are_limited() ? start_threads(50) : 99; },
                  drop_privileges) == 5 + 2);
        CHECK(::kill(other, SIGKILL) == 0);
        CHECK(end_of(other) == kDied + SIGKILL);
    }
    if (::geteuid() == 0)
        CHECK(try_closed(limited(&sandbox::ResourceLimits::processes, 5), {},
                         [] { return processes_are_limited() ? 1 : 0; }) == 0);
}

TEST_CASE("CPU time is granted per call") {
    CHECK(try_closed(limited(&sandbox::ResourceLimits::cpu_seconds, 1), {}, [] {
              for (int call = 0; call < 3; ++call) {
                  allow_cpu_seconds(1);
                  burn(0.6);
              }
              return 0;
          }) == 0);
    CHECK(try_closed(limited(&sandbox::ResourceLimits::cpu_seconds, 1), {}, [] {
              allow_cpu_seconds(1);
              burn(4);
              return 0;
          }) == kDied + SIGXCPU);
}
