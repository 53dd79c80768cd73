// The profile's policy for files as the logic uses it; policy.hpp reads it.
#pragma once

#include <cstdint>
#include <string>
#include <toolhost/protected_paths.hpp>
#include <vector>

namespace file_operations {

struct Rules {
    std::vector<std::string> roots{"."};  // relative ones are relative to the workspace
    std::string home;                     // the meaning of ~; may be empty
    bool allow_hidden = false;
    bool read_only = false;
    std::vector<std::string> allowed_extensions;  // with the dot; empty: all
    std::vector<std::string> denied_globs;
    toolhost::ProtectedPaths protected_paths;  // readable, but not writable
    std::uint64_t max_file_bytes = 16u << 20;
    std::uint64_t max_diff_bytes = 4u << 20;
};

}  // namespace file_operations
