// Why a worker ended, as its host knows it.
#pragma once

#include <string>

#include "host/base/error.hpp"

namespace toolhost::worker {

struct WorkerEnd {
    enum class How {
        exited,         // by itself: `exit_code`
        signalled,      // `signal`
        sent_garbage,   // the host ended it: it sent an invalid message
        ended_by_host,  // for the sake of `reason`
        lost,           // how is known only from memory that the plugin can write
    };
    How how = How::lost;
    int exit_code = 0;
    int signal = 0;
    std::string limit{};   // that it had reached, such as memoryMb; empty: none
    std::string reason{};  // ended_by_host: completes "was ended: "
    std::string output{};  // the last lines that the plugin printed

    // A system call that the sandbox does not let pass.
    [[nodiscard]] bool stopped_by_sandbox() const;
    // The plugin's own doing, and not the host's or another call's.
    [[nodiscard]] bool is_crash() const { return how != How::ended_by_host; }
    // Of an end while the library starts: whether the library is its cause. One that ran out of
    // memory, or was killed for it, may have found none because of others.
    [[nodiscard]] bool is_start_crash() const;
    // Completes a sentence whose subject is the library: "was killed by SIGSEGV".
    [[nodiscard]] std::string text() const;
};

// plugin_crashed or resource_exhausted, with the details that docs/errors.md lists. `library` is
// what the message names.
[[nodiscard]] Error to_error(const WorkerEnd& end, const std::string& library);

}  // namespace toolhost::worker
