// What a profile's policy says of files, as the logic uses it; policy.hpp reads it.
#pragma once

#include <cstdint>
#include <string>
#include <toolhost/protected_paths.hpp>
#include <vector>

namespace file_operations {

struct Rules {
    std::vector<std::string> roots{"."};  // relative ones are meant from the workspace
    std::string home;                     // what ~ means; empty: nothing
    bool allow_hidden = false;
    bool read_only = false;
    std::vector<std::string> allowed_extensions;  // with the dot; empty: all
    std::vector<std::string> denied_globs;
    toolhost::ProtectedPaths protected_paths;  // not written, but read
    std::uint64_t max_file_bytes = 16u << 20;
    std::uint64_t max_diff_bytes = 4u << 20;
};

}  // namespace file_operations
