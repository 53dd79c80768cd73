// Walks from commits to their parents, newest first.
//
// The caller decides for each commit which parents to follow, as in git itself. Unlike git_revwalk,
// it does not unpack commits that are in the commit graph.
#pragma once

#include <cstring>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "actions/request.hpp"
#include "repo/commit_graph.hpp"
#include "repo/shallow.hpp"

namespace git {

// An object's stored bytes.
class RawObject {
public:
    RawObject(git_odb* odb, const git_oid& id, git_object_t type);
    [[nodiscard]] std::string_view bytes() const {
        return {static_cast<const char*>(git_odb_object_data(object_.get())),
                git_odb_object_size(object_.get())};
    }

private:
    Handle<git_odb_object, git_odb_object_free> object_;
};

class History {
public:
    explicit History(const Call& call);

    // The start: a commit, "a..b" or "a...b".
    void start(const std::string& ref);
    void follow(const git_oid& id);  // a repeated id is ignored
    // Returns the newest of the commits to follow.
    [[nodiscard]] std::optional<git_oid> next();

    // References stay valid.
    [[nodiscard]] const CommitLinks& links(const git_oid& id);
    [[nodiscard]] RawObject raw(const git_oid& id, git_object_t type) const {
        return {odb_.get(), id, type};
    }

private:
    struct Hash {
        std::size_t operator()(const git_oid& id) const {
            std::size_t out;
            std::memcpy(&out, id.id, sizeof out);
            return out;
        }
    };
    struct Equal {
        bool operator()(const git_oid& a, const git_oid& b) const {
            return std::memcmp(a.id, b.id, sizeof a.id) == 0;
        }
    };
    struct Known {
        CommitLinks links;
        bool followed = false;
    };
    struct Waiting {
        std::int64_t time;
        std::size_t place;  // orders commits of the same second by their insertion
        git_oid id;
        bool operator<(const Waiting& other) const {
            return time != other.time ? time < other.time : place > other.place;
        }
    };

    Known& known(const git_oid& id);
    void keep_to_range(const git_oid& from, const git_oid& to, bool symmetric);

    const Call& call_;
    Odb odb_;
    CommitGraph graph_;
    std::set<std::string> shallow_;  // commits without parents in this repository
    std::unordered_map<git_oid, Known, Hash, Equal> known_;
    std::optional<std::unordered_set<git_oid, Hash, Equal>> range_;  // commits that may be followed
    std::priority_queue<Waiting> waiting_;
    std::size_t places_ = 0;
};

}  // namespace git
