// The crashes in calls of each principal, in memory, until their window is over. Not thread-safe.
#pragma once

#include <map>

#include "host/worker/crash_history.hpp"

namespace toolhost::worker {

class PrincipalCrashes {
public:
    // Null: there was none within the window.
    [[nodiscard]] const CrashEntry* find(const CrashScope& scope);
    // `shared_worker`: calls of others may have run in it, so this crash alone does not quarantine.
    CrashHistory note(const CrashScope& scope, const std::string& reason, std::uint32_t most,
                      std::chrono::seconds window, bool shared_worker);
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
