// The result for one candidate: a library with tools, or a refusal with its reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/discovery/reason.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::discovery {

// Detects a change of a file without reading it.
struct FileStamp {
    std::uint64_t size = 0, inode = 0;
    std::int64_t mtime_ns = 0, ctime_ns = 0;  // the latest of all files of the plugin
    std::uint64_t companions = 0;             // hash of the stamps of NAME/NAME.so's other files

    bool operator==(const FileStamp&) const = default;
};

struct Candidate {
    std::string path;
    bool own_folder = false;  // NAME/NAME.so
    FileStamp stamp;
};

struct Finding {
    Candidate candidate;
    std::optional<Reason> reason;  // set if refused
    std::string message;           // details of the reason
    std::string sha256;            // of the library's own file
    std::string identity;          // as in registry::Library
    std::uint32_t flags = 0;
    std::uint16_t abi_minor = 0;
    std::vector<registry::ToolSpec> tools;
    std::string output;  // printed by the library during inspection
    // When this content was last verified, in seconds: a file changed within the clock's resolution
    // of that time may look unchanged.
    std::int64_t seen_at = 0;
    // The probe's deadline: a timeout may not happen with a longer one.
    std::int64_t deadline_ms = 0;
    bool from_cache = false;

    [[nodiscard]] bool ok() const { return !reason; }
};

}  // namespace toolhost::discovery
