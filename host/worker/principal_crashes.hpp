// Crashes that clients may have caused, in memory, until their window is over: in calls of each
// principal, and without a principal while the library started. Not thread-safe.
#pragma once

#include <map>

#include "host/worker/crash_history.hpp"

namespace toolhost::worker {

class PrincipalCrashes {
public:
    // Null: there was none within the window.
    [[nodiscard]] const CrashEntry* find(const CrashScope& scope);
    CrashHistory note(const CrashScope& scope, const std::string& reason, std::uint32_t most,
                      std::chrono::seconds window, bool may_quarantine);
    // Those of one library, whose path is resolved.
    void forget(const std::string& path);

private:
    struct Entry : CrashEntry {
        std::chrono::seconds window{0};
    };
    void forget_old();

    std::map<std::string, Entry> entries_;  // by all parts of the scope
};

}  // namespace toolhost::worker
