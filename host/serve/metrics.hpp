// What happened so far, in the text form that Prometheus reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host/call/invoker.hpp"

namespace toolhost::serve {

struct Gauge {
    const char *name, *help;
    double value = 0;
};

struct Measured {
    std::vector<const call::Invoker*> invokers;  // one a profile
    std::vector<Gauge> gauges;                   // the rest: workers, sessions, connections
};

[[nodiscard]] std::string metrics_text(const Measured& measured);

}  // namespace toolhost::serve
