// The crashes of one library within a window of time, and whether they were too many.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toolhost::worker {

// What a crash counts for.
struct CrashScope {
    std::string path;         // of the library
    std::string identity;     // of the library
    std::string confinement;  // the key of its worker's terms
    // Whose calls: the principal, or without one the caller. Empty: the one user, or the library's
    // own start.
    std::string principal{};
};

// Where it crashed, which decides how it counts.
enum class CrashPlace {
    own_worker,     // in a call, and no other principal's call was in the worker
    shared_worker,  // in a call; it does not lead to quarantine by itself: the cause is unknown
    start,          // while the library started: it counts for everyone
};

struct Quarantined {
    std::string path;      // of the library, links resolved
    std::string identity;  // of the library that crashed
    std::string since;     // RFC 3339, UTC
    std::uint32_t crashes = 0;
    std::string reason;  // for people
};

struct CrashHistory {
    using Clock = std::chrono::system_clock;  // other processes read it
    std::vector<Clock::time_point> crashes;   // within the window, oldest first
    std::optional<Quarantined> quarantined;
    // How long the quarantine lasts, and for whom.
    enum class Extent { until_changed, for_window, for_principal } extent = Extent::until_changed;
};

// What is remembered for one scope. Without `since` it is not quarantined.
struct CrashEntry : Quarantined {
    std::string confinement;          // hashed
    std::vector<std::int64_t> times;  // of crashes, milliseconds since 1970

    // Without crashes.
    [[nodiscard]] static CrashEntry of(const CrashScope& scope);
    [[nodiscard]] static std::optional<CrashEntry> parse(const std::string& text);
    [[nodiscard]] std::string text() const;  // JSON
    [[nodiscard]] CrashHistory history() const;
    // Without `may_quarantine` the crash counts, and does not lead to quarantine by itself.
    void add_crash(const std::string& why, std::uint32_t most, std::chrono::seconds window,
                   bool may_quarantine = true);
    void drop_old(std::chrono::seconds window);
};

// One library, whatever links or relative paths lead to it.
[[nodiscard]] std::string resolved_path(const std::string& path);

// SHA-256, hexadecimal.
[[nodiscard]] std::string hashed_text(const std::string& text);

}  // namespace toolhost::worker
