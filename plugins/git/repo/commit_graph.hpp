// git's commit graph (objects/info/commit-graph, written by `git gc`): a commit's parents, tree and
// time without unpacking it. libgit2 1.5 refuses graphs of current git versions. See
// gitformat-commit-graph(5).
#pragma once

#include <filesystem>
#include <optional>

#include "repo/raw_commit.hpp"

namespace git {

class CommitGraph {
public:
    // A file that is missing, layered or not understood counts as empty.
    explicit CommitGraph(const std::filesystem::path& file);
    ~CommitGraph();
    CommitGraph(const CommitGraph&) = delete;
    CommitGraph& operator=(const CommitGraph&) = delete;

    // Returns nothing for a commit that is not in it, or has more than two parents.
    [[nodiscard]] std::optional<CommitLinks> find(const git_oid& id) const;

private:
    // Finds the parts and checks their lengths.
    void read_parts();
    [[nodiscard]] const unsigned char* id_at(std::uint32_t place) const;

    const unsigned char* data_ = nullptr;  // memory-mapped
    std::size_t size_ = 0;
    const unsigned char *fanout_ = nullptr, *ids_ = nullptr, *commits_ = nullptr;
    std::uint32_t count_ = 0;
};

}  // namespace git
