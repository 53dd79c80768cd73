// git's own note of which commits lead where (objects/info/commit-graph, written by `git gc`): a
// commit's parents, tree and time without unpacking it. libgit2 1.5 refuses those that git writes
// today. See gitformat-commit-graph(5).
#pragma once

#include <filesystem>
#include <optional>

#include "repo/raw_commit.hpp"

namespace git {

class CommitGraph {
public:
    // A file that is missing, in layers or not understood is as an empty one.
    explicit CommitGraph(const std::filesystem::path& file);
    ~CommitGraph();
    CommitGraph(const CommitGraph&) = delete;
    CommitGraph& operator=(const CommitGraph&) = delete;

    // Nothing if it is not in it, or has more than two parents.
    [[nodiscard]] std::optional<CommitLinks> find(const git_oid& id) const;

private:
    // Finds the parts, and whether they are as long as they must be.
    void read_parts();
    [[nodiscard]] const unsigned char* id_at(std::uint32_t place) const;

    const unsigned char* data_ = nullptr;  // mapped
    std::size_t size_ = 0;
    const unsigned char *fanout_ = nullptr, *ids_ = nullptr, *commits_ = nullptr;
    std::uint32_t count_ = 0;
};

}  // namespace git
