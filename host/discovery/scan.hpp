// The complete discovery: folders to findings to tools.
#pragma once

#include <string>
#include <vector>

#include "host/discovery/finding.hpp"
#include "host/discovery/probe.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::discovery {

struct ScanOptions {
    std::vector<std::string> folders;
    std::string cache;  // folder of the spec cache; empty for none
    ProbeOptions probe;
    // Probe refused files again even if they have not changed; used by doctor.
    bool retry_refused = false;
    // The workspace and other folders that tools may write: no command is run from there.
    std::vector<std::string> writable;
};

struct FolderReport {
    std::string folder;
    bool exists = false;
    std::string problem;
    std::size_t candidates = 0;
};

struct ScanReport {
    std::vector<FolderReport> folders;
    std::vector<Finding> findings;  // in folder order, then by file name
    std::size_t probed = 0, hashed = 0;
    std::vector<std::string> warnings;  // about the cache
};

// Loads no library in this process. Never throws because of a candidate.
[[nodiscard]] ScanReport scan(const ScanOptions& options);

// The tools of all accepted findings, with their requirements checked. Moves the specs, which are
// most of a scan's memory. `options` must be those of the scan.
[[nodiscard]] std::vector<registry::Tool> take_tools(ScanReport& report,
                                                     const ScanOptions& options);

// The tool's missing requirements on the machine, one sentence each, as take_tools() sets them.
[[nodiscard]] std::vector<std::string> missing_requirements(const registry::ToolSpec& spec,
                                                            const ScanOptions& options);

}  // namespace toolhost::discovery
