// Owners of libgit2's objects, which free them.
#pragma once

#include <git2.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "repo/failure.hpp"

namespace git {

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* object) const {
        Free(object);
    }
};
template <class T, auto Free>
using Handle = std::unique_ptr<T, Freed<Free>>;

using AnnotatedCommit = Handle<git_annotated_commit, git_annotated_commit_free>;
using Blob = Handle<git_blob, git_blob_free>;
using BranchIterator = Handle<git_branch_iterator, git_branch_iterator_free>;
using Commit = Handle<git_commit, git_commit_free>;
using Config = Handle<git_config, git_config_free>;
using ConfigIterator = Handle<git_config_iterator, git_config_iterator_free>;
using ConflictIterator = Handle<git_index_conflict_iterator, git_index_conflict_iterator_free>;
using Diff = Handle<git_diff, git_diff_free>;
using DiffStats = Handle<git_diff_stats, git_diff_stats_free>;
using Index = Handle<git_index, git_index_free>;
using Object = Handle<git_object, git_object_free>;
using Odb = Handle<git_odb, git_odb_free>;
using Patch = Handle<git_patch, git_patch_free>;
using PathspecSet = Handle<git_pathspec, git_pathspec_free>;
using Reference = Handle<git_reference, git_reference_free>;
using ReferenceIterator = Handle<git_reference_iterator, git_reference_iterator_free>;
using Remote = Handle<git_remote, git_remote_free>;
using RepositoryHandle = Handle<git_repository, git_repository_free>;
using Revwalk = Handle<git_revwalk, git_revwalk_free>;
using Signature = Handle<git_signature, git_signature_free>;
using Tag = Handle<git_tag, git_tag_free>;
using Tree = Handle<git_tree, git_tree_free>;
using TreeEntry = Handle<git_tree_entry, git_tree_entry_free>;

// make<Commit>("cannot read the commit", git_commit_lookup, repo, &id)
template <class Owner, class Make, class... Arguments>
[[nodiscard]] Owner make(std::string_view what, Make make, Arguments... arguments) {
    typename Owner::pointer made = nullptr;
    check(make(&made, arguments...), what);
    return Owner(made);
}

// The same if "not found" is a valid result, which gives an empty owner.
template <class Owner, class Make, class... Arguments>
[[nodiscard]] Owner find(std::string_view what, Make make, Arguments... arguments) {
    typename Owner::pointer made = nullptr;
    const int code = make(&made, arguments...);
    if (code == GIT_ENOTFOUND || code == GIT_EUNBORNBRANCH) return Owner();
    check(code, what);
    return Owner(made);
}

// A buffer that libgit2 fills.
class Buffer {
public:
    Buffer() = default;
    ~Buffer() { git_buf_dispose(&buf_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] git_buf* get() { return &buf_; }
    [[nodiscard]] std::string_view view() const {
        return buf_.ptr != nullptr ? std::string_view(buf_.ptr, buf_.size) : std::string_view();
    }

private:
    git_buf buf_ = GIT_BUF_INIT;
};

// An array of texts for libgit2, which does not keep them after the call.
class TextArray {
public:
    explicit TextArray(std::vector<std::string> texts) : texts_(std::move(texts)) {
        for (auto& text : texts_) pointers_.push_back(text.data());
    }
    TextArray(const TextArray&) = delete;
    TextArray& operator=(const TextArray&) = delete;

    [[nodiscard]] git_strarray get() { return {pointers_.data(), pointers_.size()}; }
    [[nodiscard]] bool empty() const { return texts_.empty(); }

private:
    std::vector<std::string> texts_;
    std::vector<char*> pointers_;
};

[[nodiscard]] inline std::string hex(const git_oid& id, std::size_t digits = GIT_OID_HEXSZ) {
    char text[GIT_OID_HEXSZ + 1];
    return git_oid_tostr(text, digits + 1, &id);
}

}  // namespace git
