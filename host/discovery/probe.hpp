// Inspects each candidate in a child process, whose crash does not affect the host.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "host/discovery/finding.hpp"

namespace toolhost::discovery {

struct ProbeOptions {
    std::string program;  // the host's own binary
    std::chrono::milliseconds deadline{5000};
    unsigned jobs = 0;  // parallel children; 0: one per processor
};

// Completes the findings in place, several in parallel. They do not affect each other.
void probe(const std::vector<Finding*>& findings, const ProbeOptions& options);

// Parses a library's spec: sets `tools`, or `reason` and `message`. `family` is the default family.
// `deadline` limits the checks of schemas and examples.
void read_specs(Finding& finding, std::string_view text, std::string_view family,
                std::chrono::milliseconds deadline);

// The child's result lines and exit status, interpreted. Separate from probe() for tests.
struct ChildReport {
    std::string sha256, identity;
    std::string stage;             // the last dangerous step that was started
    Json plugin;                   // null if not reported
    std::optional<Reason> reason;  // set if refused
    std::string message;
};
[[nodiscard]] ChildReport read_report(const std::string& lines);

}  // namespace toolhost::discovery
