// Which programs may be run, and with which words: the tool's own policy. It keeps a model within
// what was meant; the sandbox confines commands to the workspace in any case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/parse.hpp"

namespace shell {

struct Rules {
    std::filesystem::path workspace;   // absolute, without symbolic links
    std::vector<std::string> allowed;  // globs of names; those with a slash: of files
    std::vector<std::string> denied;
    std::string path;  // where programs are looked for, as PATH
    bool confine_paths = true;
};

// Where a file is, whether or not it exists, all symbolic links followed.
std::filesystem::path resolved(const std::filesystem::path& folder, const std::string& file);
bool is_within(const std::filesystem::path& folder, const std::filesystem::path& path);

// The program's file. A name is looked for along `path`, and never found in the workspace. A file
// (what has a slash) is allowed only by a pattern with a slash: it is not `ls` because it is called
// so.
Refused find_allowed(const Rules& rules, const std::filesystem::path& folder,
                     const std::string& name, std::string& file);

// Words that make an allowed program run another or set the clock, and paths that lead outside.
Refused check_words(const Rules& rules, const std::filesystem::path& folder,
                    const std::vector<std::string>& words);

Refused check_path(const Rules& rules, const std::filesystem::path& folder,
                   const std::string& path);

}  // namespace shell
