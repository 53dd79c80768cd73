// The output of `PROGRAM --version`: determined once, in a sandbox, and stored by the program's
// content.
#pragma once

#include <map>
#include <string>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

// The hidden command of the host's binary that runs one program.
inline constexpr const char* kVersionCommand = "__version";

// Enters the probe's sandbox, except that programs of the system may be executed (a script's
// interpreter is one), and becomes `program --version`.
[[noreturn]] void version_child(const std::string& program);

class CommandVersions {
public:
    // `cache` is the folder of the spec cache, or empty to store nothing. `host` is the host's own
    // binary.
    CommandVersions(const std::string& cache, std::string host);

    struct Answer {
        std::string output;  // truncated at a limit
        std::string fault;   // why it could not be run, a sentence part; empty: it ran
    };
    // `program` must be a real path. `again` runs it even if the answer is known.
    [[nodiscard]] Answer ask(const std::string& program, bool again = false);
    // Stores new answers; does nothing if there are none.
    void save();

private:
    struct Known {
        FileStamp stamp;
        std::int64_t seen_at = 0;
        std::string sha256;  // empty: the program is executable but not readable
        Answer answer;
    };
    void load();
    [[nodiscard]] bool is_current(Known& known, const std::string& program, const FileStamp& stamp);

    const std::string file_, host_;
    std::map<std::string, Known> known_;  // by real path
    bool loaded_ = false, changed_ = false;
};

}  // namespace toolhost::discovery
