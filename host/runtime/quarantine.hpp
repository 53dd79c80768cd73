// Crashes of libraries, and those that crashed too often and are not run again until they change or
// somebody says so.
//
// A small store beside the spec cache: one JSON file per library, named by the hash of its path, so
// that one call after the other leads there as surely as one host with many. Hosts side by side
// take no lock: two crashes at the same moment may count as one. What cannot be written is
// remembered as long as this object.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace toolhost::runtime {

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
    std::vector<Clock::time_point> crashes;   // of late, oldest first
    std::optional<Quarantined> quarantined;
};

class Quarantine {
public:
    // An empty folder: all is remembered here and nothing stored.
    explicit Quarantine(std::string folder);

    // What was noted of another content of the file does not count.
    [[nodiscard]] Standing find(const std::string& path, const std::string& sha256) const;
    // `most` crashes within the window are the end. `reason` is for people.
    Standing note_crash(const std::string& path, const std::string& sha256,
                        const std::string& reason, std::uint32_t most,
                        std::chrono::seconds window) const;
    // What was lifted; none: it was in no quarantine. Its crashes are forgotten either way.
    std::optional<Quarantined> lift(const std::string& path) const;
    // Sorted by path; damaged files are passed over.
    [[nodiscard]] std::vector<Quarantined> all() const;

    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    // Without `since` it is not in quarantine.
    struct Entry : Quarantined {
        std::vector<std::int64_t> times;  // of crashes, milliseconds since 1970

        [[nodiscard]] static std::optional<Entry> parse(const std::string& text);
        [[nodiscard]] std::string text() const;
        [[nodiscard]] Standing standing() const;
    };
    [[nodiscard]] std::string file_of(const std::string& path) const;
    [[nodiscard]] std::optional<Entry> read(const std::string& path,
                                            const std::string& sha256) const;
    bool write(const Entry& entry) const;

    const std::string folder_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Entry> unwritten_;  // by path
};

}  // namespace toolhost::runtime
