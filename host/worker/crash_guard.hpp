// What crashes lead to: a pause before the library is started again, and then quarantine.
#pragma once

#include <string>

#include "host/loading/invocation.hpp"
#include "host/worker/quarantine.hpp"
#include "host/worker/worker_config.hpp"
#include "host/worker/worker_end.hpp"

namespace toolhost::worker {

class CrashGuard {
public:
    explicit CrashGuard(const std::string& folder) : quarantine_(folder) {}

    // Whether the library may be started, after a pause where it crashed more than once.
    [[nodiscard]] Result<void> check(const CrashScope& scope, loading::CallHost& host,
                                     const loading::Stop& stop) const;
    void count(const CrashScope& scope, const WorkerLimits& config, const WorkerEnd& end,
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
