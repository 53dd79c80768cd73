// The tool's own policy: which programs may run, and with which words. It prevents mistakes of a
// model; the sandbox confines commands to the workspace in any case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/parse.hpp"

namespace shell {

struct Rules {
    std::filesystem::path workspace;   // absolute, without symbolic links
    std::vector<std::string> allowed;  // globs of names; with a slash, of files
    std::vector<std::string> denied;
    std::string path;  // the search path, as PATH
    bool confine_paths = true;
};

// The location of a file, existing or not, with all symbolic links followed.
std::filesystem::path resolved(const std::filesystem::path& folder, const std::string& file);
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& path);

// Finds the program's file. A name is searched in `path`, but never in the workspace. A file (with
// a slash) is allowed only by a pattern with a slash: a file named `ls` need not be ls.
Refused find_allowed(const Rules& rules, const std::filesystem::path& folder,
                     const std::string& name, std::string& file);

// Refuses words that make an allowed program run others or set the clock, and paths that lead
// outside.
Refused check_words(const Rules& rules, const std::filesystem::path& folder,
                    const std::vector<std::string>& words);

Refused check_path(const Rules& rules, const std::filesystem::path& folder,
                   const std::string& path);

}  // namespace shell
