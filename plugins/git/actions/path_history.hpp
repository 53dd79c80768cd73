// Which commits a walk that is narrowed to paths shows.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "actions/patches.hpp"

namespace git {

// git's default for paths: a commit counts if the paths differ from every parent's; where they are
// the same as one parent's, only that parent's side is followed.
class PathHistory {
public:
    explicit PathHistory(const Call& call);

    [[nodiscard]] bool all() const { return paths_.empty(); }
    // Called for each commit after its children.
    [[nodiscard]] bool wants(git_commit* commit);

private:
    struct ById {
        bool operator()(const git_oid& a, const git_oid& b) const {
            return git_oid_cmp(&a, &b) < 0;
        }
    };

    bool differs_from_all(git_commit* commit, unsigned count);
    bool differs(git_commit* before, git_commit* after);
    const std::string& entries(git_commit* commit);

    const Call& call_;
    DiffOptions options_;
    std::vector<std::string> paths_;
    bool plain_ = true;  // no path is a pattern
    std::string none_;   // entries() where there are no files at all
    std::set<git_oid, ById> followed_, parents_;
    std::map<git_oid, std::string, ById> known_;
};

}  // namespace git
