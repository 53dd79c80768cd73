// Counts crashes of libraries, and keeps out those that crashed too often.
//
// A crash counts for one library content under one confinement: a changed file or a new grant
// starts from zero. A crash in a call of an identified caller counts for that caller alone, in
// memory, and keeps that caller out until the crash window is over. Other crashes are stored beside
// the spec cache, so that they count across processes: one JSON file per library and confinement,
// which stays until the file changes or lift(). Hosts side by side take no lock: two crashes at the
// same moment may count as one. What cannot be written is kept as long as this object.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace toolhost::runtime {

// What a crash counts for.
struct CrashScope {
    std::string path;         // of the library
    std::string sha256;       // of its content
    std::string confinement;  // the key of its worker's terms
    std::string caller{};     // empty: the one user, or the library's own start
};

struct Quarantined {
    std::string path;    // of the library, links resolved
    std::string sha256;  // of the content that crashed
    std::string since;   // RFC 3339, UTC
    std::uint32_t crashes = 0;
    std::string reason;  // for people
};

// Where a library stands.
struct Standing {
    using Clock = std::chrono::system_clock;  // other processes read it
    std::vector<Clock::time_point> crashes;   // within the window, oldest first
    std::optional<Quarantined> quarantined;
    bool for_caller = false;  // quarantined for that caller alone
};

class Quarantine {
public:
    // An empty folder: nothing is stored.
    explicit Quarantine(std::string folder);

    [[nodiscard]] Standing find(const CrashScope& scope) const;
    // `most` crashes within the window lead to quarantine. `reason` is for people.
    Standing note_crash(const CrashScope& scope, const std::string& reason, std::uint32_t most,
                        std::chrono::seconds window) const;
    // Whether a call of that caller crashed within the window. Quick: it is asked at every call.
    [[nodiscard]] bool crashed_for_caller(const CrashScope& scope) const;
    // What is stored of this content, whatever the confinement; none: it is not in quarantine.
    [[nodiscard]] std::optional<Quarantined> find_any(const std::string& path,
                                                      const std::string& sha256) const;
    // Forgets all crashes of a library. What was lifted; none: it was in no quarantine.
    std::optional<Quarantined> lift(const std::string& path) const;
    // What is stored, sorted by path; damaged files are passed over.
    [[nodiscard]] std::vector<Quarantined> all() const;

    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    // Without `since` it is not in quarantine.
    struct Entry : Quarantined {
        std::string confinement;          // hashed
        std::vector<std::int64_t> times;  // of crashes, milliseconds since 1970

        [[nodiscard]] static std::optional<Entry> parse(const std::string& text);
        [[nodiscard]] std::string text() const;
        [[nodiscard]] Standing standing() const;
        void add_crash(const std::string& reason, std::uint32_t most, std::chrono::seconds window);
    };
    struct CallerEntry : Entry {
        std::chrono::seconds window{0};
    };
    [[nodiscard]] static Entry fresh(const CrashScope& scope);
    [[nodiscard]] const CallerEntry* of_caller(const CrashScope& scope) const;
    [[nodiscard]] std::string file_of(const Entry& entry) const;
    [[nodiscard]] std::vector<std::string> files_of(const std::string& path) const;
    [[nodiscard]] Entry read(const CrashScope& scope) const;
    bool write(const Entry& entry) const;
    [[nodiscard]] Standing note_for_caller(const CrashScope& scope, const std::string& reason,
                                           std::uint32_t most, std::chrono::seconds window) const;
    void forget_old_callers() const;

    const std::string folder_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Entry> unwritten_;        // by file
    mutable std::map<std::string, CallerEntry> by_caller_;  // by key_of()
};

}  // namespace toolhost::runtime
