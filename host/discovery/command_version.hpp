// What `PROGRAM --version` prints: asked once, in a sandbox, and remembered by the program's
// content.
#pragma once

#include <map>
#include <string>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

// The hidden command of the host's own binary that runs one program.
inline constexpr const char* kVersionCommand = "__version";

// Closes this process as the probe's is closed, but for running the program, and becomes
// `program --version`. Exec of the system's programs is open besides: a script's interpreter is
// one.
[[noreturn]] void version_child(const std::string& program);

class CommandVersions {
public:
    // `cache` is the folder of the spec cache, empty: nothing is remembered; `host` is the host's
    // own binary.
    CommandVersions(const std::string& cache, std::string host);

    struct Answer {
        std::string output;  // what was printed, cut to a bound
        std::string fault;   // why nothing could be asked, part of a sentence; empty: it ran
    };
    // `program` is a real path. `again`: runs it though the answer is known.
    [[nodiscard]] Answer ask(const std::string& program, bool again = false);
    // Remembers what was asked since; does nothing if nothing was.
    void save();

private:
    struct Known {
        FileStamp stamp;
        std::int64_t seen_at = 0;
        std::string sha256;  // empty: the program may be run and not read
        Answer answer;
    };
    void load();
    [[nodiscard]] bool still_holds(Known& known, const std::string& program,
                                   const FileStamp& stamp);

    const std::string file_, host_;
    std::map<std::string, Known> known_;  // by real path
    bool loaded_ = false, changed_ = false;
};

}  // namespace toolhost::discovery
