// Folders to findings to tools: the whole of discovery in one call.
#pragma once

#include <string>
#include <vector>

#include "host/discovery/finding.hpp"
#include "host/discovery/probe.hpp"
#include "host/registry/catalogue.hpp"

namespace toolhost::discovery {

struct ScanOptions {
    std::vector<std::string> folders;
    std::string cache;  // folder of the spec cache; empty: none
    ProbeOptions probe;
    // Look again at what was refused before, though it has not changed: doctor does.
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
    std::vector<std::string> complaints;  // about the cache
};

// Loads no library in this process and never throws for what a candidate does.
[[nodiscard]] ScanReport scan(const ScanOptions& options);

// The tools of every accepted finding, their requirements checked. The specs move into them: they
// are most of what a scan holds. `options` are those of the scan.
[[nodiscard]] std::vector<registry::Tool> take_tools(ScanReport& report,
                                                     const ScanOptions& options);

// What of the machine the tool requires and is missing, each a sentence, as take_tools() has it.
[[nodiscard]] std::vector<std::string> missing_requirements(const registry::ToolSpec& spec,
                                                            const ScanOptions& options);

}  // namespace toolhost::discovery
