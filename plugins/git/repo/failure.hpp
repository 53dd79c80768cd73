// How an action ends other than with an answer. Every libgit2 call passes through check(), so that
// what the library says becomes a message in one place only; git.cpp hands these to the host.
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

// It could not be done.
struct Failure {
    std::string message;
};

// The request is invalid; `field` is the one to fix.
struct Misuse {
    std::string field, message;
};

// The caller wants no answer any more.
struct Stopped {};

[[noreturn]] inline void deny(Reason reason, std::string message) {
    throw Denial{reason, std::move(message)};
}
[[noreturn]] inline void fail(std::string message) {
    throw Failure{std::move(message)};
}

// Passes for 0 and above; else says what could not be done ("cannot read the index") and why.
void check(int code, std::string_view what);

}  // namespace git
