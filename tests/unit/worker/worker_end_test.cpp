#include "host/worker/worker_end.hpp"

#include <signal.h>

#include "tests/unit/doctest.hpp"

using namespace toolhost;
using worker::WorkerEnd;

TEST_CASE("an end becomes the error that docs/errors.md describes") {
    using enum WorkerEnd::How;
    struct Row {
        WorkerEnd end;
        ErrorCode code;
        std::string message;
        Json details;
    };
    using enum ErrorCode;
    for (const auto& row : {
             Row{{.how = signalled, .signal = SIGSEGV, .output = "last words\n"},
                 plugin_crashed,
                 "lib was killed by SIGSEGV",
                 {{"signal", "SIGSEGV"}, {"output", "last words\n"}}},
             Row{{.how = exited, .exit_code = 3},
                 plugin_crashed,
                 "lib ended its process with exit code 3",
                 {{"exitCode", 3}}},
             Row{{.how = signalled, .signal = SIGKILL, .limit = "memoryMb"},
                 resource_exhausted,
                 "lib was killed by SIGKILL: it reached limits.memoryMb",
                 {{"signal", "SIGKILL"}, {"resource", "memoryMb"}}},
             Row{{.how = signalled, .signal = SIGSYS},
                 plugin_crashed,
                 "lib was stopped by the sandbox",
                 {{"signal", "SIGSYS"}}},
             Row{{.how = ended_by_host, .reason = "a call in it exceeded its timeout"},
                 plugin_crashed,
                 "lib was ended: a call in it exceeded its timeout",
                 {{"reason", "worker_ended"}}},
             Row{{.how = lost, .output = "the reaper's words"},
                 plugin_crashed,
                 "lib lost its worker process: the reaper's words",
                 {{"reason", "worker_lost"}}},
         }) {
        CAPTURE(row.message);
        const auto error = to_error(row.end, "lib");
        CHECK(error.code == row.code);
        CHECK(error.message == row.message);
        CHECK(error.details == row.details);
    }
    CHECK(to_error({.how = sent_garbage}, "lib").details == Json{{"reason", "channel_garbage"}});
}

TEST_CASE("every end except by the host is a crash") {
    using enum WorkerEnd::How;
    for (const auto how : {exited, signalled, sent_garbage, lost})
        CHECK(WorkerEnd{.how = how}.is_crash());
    CHECK_FALSE(WorkerEnd{.how = ended_by_host}.is_crash());
    // A plugin can send itself the signal, and must not avoid quarantine by it.
    CHECK(WorkerEnd{.how = signalled, .signal = SIGSYS}.is_crash());
}
