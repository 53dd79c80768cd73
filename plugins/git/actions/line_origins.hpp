// Finds the commit that wrote each line of a file.
//
// As in git, a line is attributed to the first parent that has it, across renames of the file,
// until none has. libgit2's own blame ignores the end of a shallow clone, compares whole trees at
// each step and cannot be cancelled.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actions/tree_path.hpp"

namespace git {

struct LineOrigin {
    git_oid commit{};
    bool oldest = false;  // the commit has no parents in this repository
};

class LineOrigins {
public:
    explicit LineOrigins(const Call& call) : call_(call), history_(call) {}

    // For `count` lines from `first` (from 0) of the file in the commit.
    [[nodiscard]] std::vector<LineOrigin> find(const git_oid& commit, const std::string& path,
                                               std::size_t first, std::size_t count);

private:
    // A file in a commit.
    struct Version {
        git_oid commit{};
        std::string path;
        git_oid blob{};
    };
    struct Lines {
        std::size_t asked, here, count;  // positions in the request and in a version
    };
    using LinesList = std::vector<Lines>;
    struct Suspect {
        Version version;
        LinesList lines;
    };
    struct Change;

    void look_into(Suspect suspect);
    void suspect(Version version, const LinesList& lines);
    Suspect take_newest();
    [[nodiscard]] std::optional<Version> same_path(const Version& version, const git_oid& parent);
    [[nodiscard]] std::optional<Version> renamed(const Version& version, const git_oid& parent);
    // Moves the lines that the older version also has to it; the others are kept.
    [[nodiscard]] LinesList pass(const Version& version, const Version& older,
                                 const LinesList& lines);
    [[nodiscard]] std::vector<Change> changes(const git_oid& older, const git_oid& newer);
    [[nodiscard]] const git_blob* blob(const git_oid& id);

    const Call& call_;
    History history_;
    std::map<std::string, TreePath> places_;
    std::vector<Suspect> suspects_;
    std::vector<Blob> blobs_;  // recently used: a parent's file is needed for the next suspect
    std::vector<LineOrigin> origins_;
};

}  // namespace git
