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

// Details may be the worker's own words, so nothing is taken for granted of them.
std::string reason_of(const Error& error) {
    const auto it = error.details.find("reason");
    return it != error.details.end() && it->is_string() ? it->get<std::string>() : "";
}

}  // namespace

bool is_crash(const Error& error) {
    if (reason_of(error) == "channel_garbage" || is_worker_lost(error)) return true;
    return error.details.is_object() &&
           (error.details.contains("signal") || error.details.contains("exitCode"));
}

bool is_worker_lost(const Error& error) {
    return reason_of(error) == "worker_lost";
}

bool is_start_crash(const Error& error) {
    if (!is_crash(error) || is_worker_lost(error) || error.code == ErrorCode::resource_exhausted)
        return false;
    const auto signal = error.details.find("signal");
    return signal == error.details.end() || *signal != "SIGKILL";
}

Result<void> CrashGuard::check(const CrashScope& scope, loading::CallHost& host,
                               const loading::Stop& stop) const {
    const auto history = quarantine_.find(scope);
    if (!history.quarantined) return await_backoff(scope.path, history, host, stop);
    const auto& held = *history.quarantined;
    using Extent = CrashHistory::Extent;
    const auto extent = history.extent;
    return Error{
        ErrorCode::plugin_quarantined,
        registry::file_name(scope.path) +
            (extent == Extent::for_principal
                 ? " is quarantined for this client: its calls crashed it "
                 : " is quarantined: it crashed ") +
            std::to_string(held.crashes) + " times in a short time, and in the end " + held.reason +
            (extent == Extent::until_changed
                 ? "; what lets it run again: toolhost retry TOOL, or a new version of the file"
                 : "; it can be called again after a while"),
        {{"since", held.since}, {"crashes", held.crashes}}};
}

// The first restart is free; who crashes on waits ever longer.
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
                     " times in a short time; it is started again after a pause",
                 {}};
}

void CrashGuard::count(const CrashScope& scope, const WorkerLimits& config, const Error& error,
                       CrashPlace place) const {
    // The library is shown beside the reason.
    auto reason = error.message;
    const auto name = registry::file_name(scope.path) + ' ';
    if (reason.starts_with(name)) reason.erase(0, name.size());
    const auto history =
        quarantine_.note_crash(scope, reason, config.max_crashes,
                               std::chrono::seconds(config.crash_window_seconds), place);
    if (history.quarantined)
        spdlog::warn("{} crashed {} times within {} s and is quarantined{}", scope.path,
                     history.crashes.size(), config.crash_window_seconds,
                     history.extent == CrashHistory::Extent::for_principal
                         ? " for the client that called it"
                         : "");
}

}  // namespace toolhost::worker
