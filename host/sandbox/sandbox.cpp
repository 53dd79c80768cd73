#include "host/sandbox/sandbox.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem/operations.hpp>

#include "host/os/instrumented.hpp"
#include "host/os/path_walk.hpp"
#include "host/sandbox/landlock.hpp"
#include "host/sandbox/privileges.hpp"
#include "host/sandbox/protected_mounts.hpp"
#include "host/sandbox/resource_limits.hpp"
#include "host/sandbox/syscall_filter.hpp"

namespace toolhost::sandbox {
namespace {

constexpr const char* kLandlock = "landlock";
constexpr const char* kSeccomp = "seccomp";
constexpr const char* kNoNewPrivileges = "no_new_privs";

std::vector<std::string> find_missing() {
    std::vector<std::string> missing;
    if (landlock_version() == 0) missing.emplace_back(kLandlock);
    if (!has_syscall_filters()) missing.emplace_back(kSeccomp);
    if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) < 0) missing.emplace_back(kNoNewPrivileges);
    return missing;
}

bool has(const char* part) {
    const auto& missing = missing_sandbox_parts();
    return std::find(missing.begin(), missing.end(), part) == missing.end();
}

std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

// Landlock and namespaces restrict the calling thread and its children, not other threads.
bool is_single_threaded() {
    if (os::kSanitized) return true;  // the thread sanitizer runs a thread
    boost::system::error_code fault;
    boost::filesystem::directory_iterator tasks("/proc/self/task", fault);
    if (fault) return true;  // without /proc it cannot be checked
    return std::distance(tasks, boost::filesystem::directory_iterator()) == 1;
}

// Returns true if mounts protect the protected paths, so that Landlock need not.
Result<bool> hold_protected_paths(const Confinement& confinement, const SandboxNeeds& needs) {
    const auto entries = protected_entries(confinement);
    const auto opened = [&](const std::vector<std::string>& folders) {
        return std::any_of(folders.begin(), folders.end(),
                           [&](const auto& folder) { return os::is_within(needs.hidden, folder); });
    };
    HiddenFolder hidden;
    if (!needs.hidden.empty() && (opened(confinement.read) || opened(confinement.write)))
        hidden = {needs.hidden, needs.load, needs.temp};
    if (entries.empty() && hidden.path.empty()) return true;
    if (!needs.own_mounts) return entries.empty();
    auto held = mount_protected_entries(entries, hidden);
    if (held && !*held) return entries.empty();
    return held;
}

Result<void> restrict_process(const Confinement& confinement, const SandboxNeeds& needs,
                              bool held) {
    const bool required = confinement.sandbox == Enforcement::required;
    if (required && !missing_sandbox_parts().empty())
        return Error{ErrorCode::sandbox_unavailable,
                     "the profile requires a sandbox, but the kernel does not support " +
                         list(missing_sandbox_parts()),
                     {}};
    // First, because the kernel requires it for the next two from an unprivileged process.
    if (has(kNoNewPrivileges))
        if (auto done = set_no_new_privileges(); !done) return done;
    if (auto done = drop_capabilities(); !done) return done;
    if (has(kLandlock))
        if (auto done = close_file_system(confinement, needs, held); !done) return done;
    if (has(kSeccomp))
        if (auto done = filter_system_calls(confinement, landlock_version(), needs.own_processes);
            !done)
            return done;
    return {};
}

}  // namespace

const std::vector<std::string>& missing_sandbox_parts() {
    static const std::vector<std::string> missing = find_missing();
    return missing;
}

std::string sandbox_in_force(Enforcement wanted) {
    if (wanted == Enforcement::off) return "off";
    const auto& missing = missing_sandbox_parts();
    return missing.empty() ? "full" : "partial (no " + list(missing) + ")";
}

Result<void> enter_sandbox(const Confinement& confinement, const SandboxNeeds& needs) {
    if (!is_single_threaded())
        return Error{ErrorCode::internal, "a sandbox was entered with threads running", {}};
    const std::uint64_t mapped = mapped_bytes();
    bool held = false;
    if (confinement.sandbox != Enforcement::off) {
        auto done = hold_protected_paths(confinement, needs);
        if (!done) return done.error();
        held = *done;
    }
    const bool counted = confinement.limits.processes && enter_own_user_namespace();
    if (confinement.sandbox != Enforcement::off) {
        if (auto done = restrict_process(confinement, needs, held); !done) return done;
    } else if (counted) {
        // The creator of a namespace has every capability in it, and had none before.
        if (auto done = drop_capabilities(); !done) return done;
    }
    // Last, because the steps above need memory and descriptors.
    return limit_resources(confinement.limits, mapped, 1 + needs.own_threads, counted);
}

}  // namespace toolhost::sandbox
