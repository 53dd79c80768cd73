// Which commit wrote each line of a file.
//
// As git does it: a line goes from a commit to the first parent that has it, over renames of the
// file, until none has. libgit2's own blame takes no notice of a shallow clone's end, compares
// whole trees at each step and cannot be stopped.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actions/tree_path.hpp"

namespace git {

struct LineOrigin {
    git_oid commit{};
    bool oldest = false;  // the commit has no parents here
};

class LineOrigins {
public:
    explicit LineOrigins(const Call& call) : call_(call), history_(call) {}

    // Of `count` lines from `first` on, counted from 0, of the file as the commit has it.
    [[nodiscard]] std::vector<LineOrigin> find(const git_oid& commit, const std::string& path,
                                               std::size_t first, std::size_t count);

private:
    // A file as a commit has it.
    struct Version {
        git_oid commit{};
        std::string path;
        git_oid blob{};
    };
    struct Lines {
        std::size_t asked, here, count;  // where they are in what was asked for, and in a version
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
    // Hands over the lines that the older version has, too; the others are left.
    [[nodiscard]] LinesList pass(const Version& version, const Version& older,
                                 const LinesList& lines);
    [[nodiscard]] std::vector<Change> changes(const git_oid& older, const git_oid& newer);
    [[nodiscard]] const git_blob* blob(const git_oid& id);

    const Call& call_;
    History history_;
    std::map<std::string, TreePath> places_;
    std::vector<Suspect> suspects_;
    std::vector<Blob> blobs_;  // the last few: a parent's file is the next suspect's
    std::vector<LineOrigin> origins_;
};

}  // namespace git
