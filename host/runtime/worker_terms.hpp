// Under what terms a tool's calls run in a worker: made once per tool and profile.
#pragma once

#include "host/policy/knobs.hpp"
#include "host/runtime/confinement.hpp"

namespace toolhost::runtime {

struct WorkerTerms {
    Confinement confinement;
    policy::Workers workers;
    std::string key;  // tools of one library share a worker if theirs is the same
};

}  // namespace toolhost::runtime
