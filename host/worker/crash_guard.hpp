// What crashes lead to: a pause before the library is started again, and then quarantine.
#pragma once

#include <string>

#include "host/loading/invocation.hpp"
#include "host/worker/quarantine.hpp"
#include "host/worker/worker_config.hpp"

namespace toolhost::worker {

// The plugin's own doing, and not the host's trouble or another call's end.
[[nodiscard]] bool is_crash(const Error& error);
// Its worker ended, and how is told only in memory that the plugin can write.
[[nodiscard]] bool is_worker_lost(const Error& error);
// Of a crash while the library starts: whether the library is its cause. Who ran out of memory, or
// was killed for it, may have found none because of others.
[[nodiscard]] bool is_start_crash(const Error& error);

class CrashGuard {
public:
    explicit CrashGuard(const std::string& folder) : quarantine_(folder) {}

    // Whether the library may be started, after a pause where it crashed more than once.
    [[nodiscard]] Result<void> check(const CrashScope& scope, loading::CallHost& host,
                                     const loading::Stop& stop) const;
    void count(const CrashScope& scope, const WorkerLimits& config, const Error& error,
               CrashPlace place) const;
    // Whether a call of the scope's principal crashed within the window.
    [[nodiscard]] bool has_crashed(const CrashScope& scope) const {
        return quarantine_.crashed_for_principal(scope);
    }

private:
    [[nodiscard]] static Result<void> await_backoff(const std::string& path,
                                                    const CrashHistory& history,
                                                    loading::CallHost& host,
                                                    const loading::Stop& stop);

    const Quarantine quarantine_;
};

}  // namespace toolhost::worker
