// Libraries that crashed too often and are not run again until they change or somebody says so.
//
// A small store beside the spec cache: one JSON file per library, named by the hash of its path, so
// that hosts side by side need no lock. What cannot be read or written only makes it forgetful.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toolhost::runtime {

struct Quarantined {
    std::string path;    // of the library, links resolved
    std::string sha256;  // of the content that crashed
    std::string since;   // RFC 3339, UTC; empty in put(): now
    std::uint32_t crashes = 0;
    std::string reason;  // for people
};

class Quarantine {
public:
    // An empty folder: nothing is stored and nothing is found.
    explicit Quarantine(std::string folder);

    // An entry for another content of the file does not count, and is removed.
    [[nodiscard]] std::optional<Quarantined> find(const std::string& path,
                                                  const std::string& sha256) const;
    // False with errno set if it could not be stored; it then holds for this process at most.
    bool put(Quarantined entry) const;
    // What was lifted; none: nothing was stored for that path.
    std::optional<Quarantined> lift(const std::string& path) const;
    // Sorted by path; damaged files are passed over.
    [[nodiscard]] std::vector<Quarantined> all() const;

    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    [[nodiscard]] std::string file_of(const std::string& path) const;

    std::string folder_;
};

}  // namespace toolhost::runtime
