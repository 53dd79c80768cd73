// Ways for an action to end without an answer. Every libgit2 call passes through check(), so that
// the library's errors become messages in one place; git.cpp passes these to the host.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "repo/reasons.hpp"

namespace git {

// The policy forbids it; `reason` is one of kReasons.
struct Denial {
    std::string reason, message;
};

// The action failed.
struct Failure {
    std::string message;
};

// The request is invalid; `field` is the one to fix.
struct Misuse {
    std::string field, message;
};

// The caller cancelled the call.
struct Stopped {};

[[noreturn]] inline void deny(Reason reason, std::string message) {
    throw Denial{reason, std::move(message)};
}
[[noreturn]] inline void fail(std::string message) {
    throw Failure{std::move(message)};
}

// Returns for code >= 0; otherwise throws with what failed ("cannot read the index") and why.
void check(int code, std::string_view what);

}  // namespace git
