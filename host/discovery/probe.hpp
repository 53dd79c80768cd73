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
    unsigned jobs = 0;  // at once; 0: one for each processor
};

// Fills the findings in place, several at a time. One's failure is never another's.
void probe(const std::vector<Finding*>& findings, const ProbeOptions& options);

// Reads what a library says of its tools: fills `tools`, or `reason` and `message`. `family` is
// that of tools without one. `deadline` bounds the checks of schemas and examples.
void read_specs(Finding& finding, std::string_view text, std::string_view family,
                std::chrono::milliseconds deadline);

// What a child's end and its result lines mean. Apart from probe() so that it can be tested.
struct ChildReport {
    std::string sha256, identity;
    std::string stage;             // the last dangerous step that was begun
    Json plugin;                   // null: none came
    std::optional<Reason> reason;  // of a refusal
    std::string message;
};
[[nodiscard]] ChildReport read_report(const std::string& lines);

}  // namespace toolhost::discovery
