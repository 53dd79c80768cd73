#include "host/worker/crash_guard.hpp"

#include <spdlog/spdlog.h>

#include <condition_variable>

#include "host/base/mutex.hpp"
#include "host/os/timed_wait.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::worker {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFirstBackoff{100}, kLongestBackoff{5000};

}  // namespace

Result<void> CrashGuard::check(const CrashScope& scope, loading::CallHost& host,
                               const loading::Stop& stop) const {
    const auto history = quarantine_.find(scope);
    if (!history.quarantined) return await_backoff(scope.path, history, host, stop);
    const auto& held = *history.quarantined;
    using Extent = CrashHistory::Extent;
    const auto extent = history.extent;
    return Error{ErrorCode::plugin_quarantined,
                 registry::file_name(scope.path) +
                     (extent == Extent::for_principal
                          ? " is quarantined for this client: its calls crashed it "
                          : " is quarantined: it crashed ") +
                     std::to_string(held.crashes) + " times in a short time; the last time it " +
                     held.reason +
                     (extent == Extent::until_changed
                          ? "; to let it run again, run 'toolhost retry TOOL' or change the file"
                          : "; try again later"),
                 {{"since", held.since}, {"crashes", held.crashes}}};
}

// The first restart is immediate; each further one waits longer.
Result<void> CrashGuard::await_backoff(const std::string& path, const CrashHistory& history,
                                       loading::CallHost& host, const loading::Stop& stop) {
    const auto crashes = history.crashes.size();
    if (crashes < 2) return {};
    auto pause = kFirstBackoff;
    for (std::size_t i = 2; i < crashes && pause < kLongestBackoff; ++i) pause *= 2;
    // The times are of another clock, which may have been set since.
    const auto since = CrashHistory::Clock::now() - history.crashes.back();
    const auto rest = std::min(pause, kLongestBackoff) - std::max(since, decltype(since)::zero());
    if (rest <= rest.zero()) return {};
    const auto until = Clock::now() + rest;
    const auto deadline = host.deadline();
    Mutex mutex;
    std::condition_variable_any never;
    MutexLock waiting(mutex);
    if (os::wait_for(never, waiting, deadline ? std::min(until, *deadline) : until, stop.cancel,
                     [&] { return Clock::now() >= until; }))
        return {};
    if (stop.cancel.stop_requested())
        return Error{ErrorCode::cancelled, "the call was cancelled before it started", {}};
    return Error{ErrorCode::plugin_unavailable,
                 registry::file_name(path) + " crashed " + std::to_string(crashes) +
                     " times in a short time; it will be restarted after a pause; try again later",
                 {}};
}

void CrashGuard::count(const CrashScope& scope, const WorkerLimits& config, const WorkerEnd& end,
                       CrashPlace place) const {
    const auto history =
        quarantine_.note_crash(scope, end.text(), config.max_crashes,
                               std::chrono::seconds(config.crash_window_seconds), place);
    if (history.quarantined)
        spdlog::warn("{} crashed {} times within {} s and is quarantined{}", scope.path,
                     history.crashes.size(), config.crash_window_seconds,
                     history.extent == CrashHistory::Extent::for_principal
                         ? " for the client that called it"
                         : "");
}

}  // namespace toolhost::worker
