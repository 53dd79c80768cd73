// Counts crashes of libraries, and keeps out those that crashed too often.
//
// A crash counts for one library identity under one confinement: a changed file or a new grant
// starts from zero. A crash in a call of a principal counts for that principal alone, in memory,
// and keeps that principal out until the crash window is over. A crash at a start for a principal's
// call, which its earlier calls may have caused by filling memory or a file system, counts for
// everyone, in memory, until the window is over. Other crashes are stored beside the spec cache, so
// that they count across processes: one JSON file per library and confinement, which stays until
// the library changes or lift(). Hosts side by side take no lock: two crashes at the same moment
// may count as one. What cannot be written is kept as long as this object.
#pragma once

#include <map>

#include "host/base/mutex.hpp"
#include "host/worker/principal_crashes.hpp"

namespace toolhost::worker {

class Quarantine {
public:
    // An empty folder: nothing is stored.
    explicit Quarantine(std::string folder);

    [[nodiscard]] CrashHistory find(const CrashScope& scope) const;
    // `most` crashes within the window lead to quarantine. `reason` is for people.
    CrashHistory note_crash(const CrashScope& scope, const std::string& reason, std::uint32_t most,
                            std::chrono::seconds window,
                            CrashPlace place = CrashPlace::own_worker) const;
    // Whether a call of that principal crashed within the window. Quick: it is asked at every call.
    [[nodiscard]] bool crashed_for_principal(const CrashScope& scope) const;
    // What is stored of this library, whatever the confinement; none: it is not quarantined.
    [[nodiscard]] std::optional<Quarantined> find_any(const std::string& path,
                                                      const std::string& identity) const;
    // Forgets all crashes of a library. What was lifted; none: it was in no quarantine.
    std::optional<Quarantined> lift(const std::string& path) const;
    // What is stored, sorted by path; damaged files are passed over.
    [[nodiscard]] std::vector<Quarantined> all() const;

    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    [[nodiscard]] std::string file_of(const CrashEntry& entry) const;
    [[nodiscard]] std::vector<std::string> files_of(const std::string& path) const;
    [[nodiscard]] CrashEntry read(const CrashScope& scope) const REQUIRES(mutex_);
    bool write(const CrashEntry& entry) const;

    const std::string folder_;
    mutable Mutex mutex_;
    mutable std::map<std::string, CrashEntry> unwritten_ GUARDED_BY(mutex_);  // by file
    mutable PrincipalCrashes in_memory_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::worker
