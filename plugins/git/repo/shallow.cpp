#include "repo/shallow.hpp"

#include <filesystem>
#include <sstream>

#include "repo/pipes.hpp"

namespace git {

std::set<std::string> shallow_commits(git_repository* repository) {
    std::set<std::string> out;
    std::istringstream lines(
        read_regular(std::filesystem::path(git_repository_commondir(repository)) / "shallow"));
    for (std::string line; std::getline(lines, line);) out.insert(line);
    return out;
}

}  // namespace git
