#include "read/history.hpp"

#include <git2.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "read/git_library.hpp"
#include "read/parts.hpp"
#include "read/paths.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr std::uint64_t max_commits = 200000;
constexpr std::uint64_t commits_between_words = 1000;

template <class T, void (*Free)(T*)>
struct Freed {
    void operator()(T* object) const { Free(object); }
};
using Repository = std::unique_ptr<git_repository, Freed<git_repository, git_repository_free>>;
using Walker = std::unique_ptr<git_revwalk, Freed<git_revwalk, git_revwalk_free>>;
using Commit = std::unique_ptr<git_commit, Freed<git_commit, git_commit_free>>;
using Tree = std::unique_ptr<git_tree, Freed<git_tree, git_tree_free>>;
using TreeEntry = std::unique_ptr<git_tree_entry, Freed<git_tree_entry, git_tree_entry_free>>;
using Diff = std::unique_ptr<git_diff, Freed<git_diff, git_diff_free>>;

Refusal git_trouble(const std::string& what) {
    return failed(what + ": " + GitLibrary::last_error());
}

// A repository may refer to folders anywhere; those outside of the roots stay inaccessible.
std::optional<Refusal> check_inside(const Access& access, git_repository* repository,
                                    const std::string& path) {
    const auto outside_error = [&](const std::string& what) {
        return denied("path_not_allowed", "the repository of " + shown_name(path) + " has its " +
                                              what + " outside the folders that the policy allows");
    };
    for (const char* folder :
         {git_repository_path(repository), git_repository_commondir(repository)}) {
        for (const char* part : {"", "objects", "refs", "HEAD", "config"}) {
            const std::string whole = std::string(folder) + part;
            char* real = ::realpath(whole.c_str(), nullptr);
            if (!real) continue;
            const bool inside = access.is_inside(real);
            ::free(real);
            if (!inside) return outside_error(*part == '\0' ? "folder" : part);
        }
    }
    const std::string others =
        std::string(git_repository_commondir(repository)) + "objects/info/alternates";
    if (::access(others.c_str(), F_OK) == 0) return outside_error("objects, by info/alternates,");
    return std::nullopt;
}

// The closest existing folder; the file's own may be deleted too.
std::string folder_there(std::string path) {
    struct stat status {};
    do {
        const auto end = path.rfind('/');
        if (end == 0 || end == std::string::npos) return "/";
        path.resize(end);
    } while (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode));
    return path;
}

Outcome<Repository> open_repository(const Access& access, const Place& place) {
    const std::string path = access.absolute(place.root, place.path);
    git_repository* raw = nullptr;
    const std::string ceiling = access.absolute(place.root, "");
    const auto slash = ceiling.rfind('/');
    const std::string above = slash == 0 ? "/" : ceiling.substr(0, slash);
    const std::string folder = folder_there(path);
    if (git_repository_open_ext(&raw, folder.c_str(), 0, above.c_str()) != 0) {
        return failed(access.shown(place) +
                      " is not in a git repository of the allowed folders; git_history: false "
                      "shows the file system's information");
    }
    Repository repository(raw);
    if (auto refusal = check_inside(access, raw, access.shown(place))) return *refusal;
    return repository;
}

class Past {
public:
    Past(git_repository* repository, std::string path)
        : repository_(repository), path_(std::move(path)) {}

    // The blob at the path in the commit; null if there is none.
    [[nodiscard]] std::optional<git_oid> blob_of(const git_commit* commit) const {
        git_tree* raw_tree = nullptr;
        if (git_commit_tree(&raw_tree, commit) != 0) return std::nullopt;
        const Tree tree(raw_tree);
        git_tree_entry* raw = nullptr;
        if (git_tree_entry_bypath(&raw, tree.get(), path_.c_str()) != 0) return std::nullopt;
        const TreeEntry entry(raw);
        return *git_tree_entry_id(entry.get());
    }

    // As in `git log`: a commit that equals one of its parents has changed nothing.
    [[nodiscard]] bool changed(const git_commit* commit) const {
        const auto now = blob_of(commit);
        const unsigned parents = git_commit_parentcount(commit);
        for (unsigned i = 0; i < parents; ++i) {
            git_commit* raw = nullptr;
            if (git_commit_parent(&raw, commit, i) != 0) continue;
            const Commit parent(raw);
            const auto before = blob_of(parent.get());
            if (now.has_value() != before.has_value()) continue;
            if (!now || git_oid_equal(&*now, &*before) != 0) return false;
        }
        return parents > 0 || now.has_value();
    }

    [[nodiscard]] std::string changes(const git_commit* commit, std::size_t most) const {
        git_tree *raw_now = nullptr, *raw_before = nullptr;
        git_commit* raw_parent = nullptr;
        if (git_commit_tree(&raw_now, commit) != 0) return "";
        const Tree now(raw_now);
        if (git_commit_parentcount(commit) > 0 && git_commit_parent(&raw_parent, commit, 0) == 0) {
            const Commit parent(raw_parent);
            if (git_commit_tree(&raw_before, parent.get()) != 0) raw_before = nullptr;
        }
        const Tree before(raw_before);
        git_diff_options options = GIT_DIFF_OPTIONS_INIT;
        options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH;
        char* spec = const_cast<char*>(path_.c_str());
        options.pathspec = {&spec, 1};
        git_diff* raw_diff = nullptr;
        if (git_diff_tree_to_tree(&raw_diff, repository_, before.get(), now.get(), &options) != 0) {
            return "";
        }
        const Diff diff(raw_diff);
        git_buf text = GIT_BUF_INIT;
        if (git_diff_to_buf(&text, diff.get(), GIT_DIFF_FORMAT_PATCH) != 0) return "";
        const std::string out = valid_utf8(first_bytes({text.ptr, text.size}, most));
        git_buf_dispose(&text);
        return out;
    }

private:
    git_repository* repository_;
    std::string path_;
};

Revision revision_of(const git_commit* commit) {
    Revision revision;
    char id[9] = {};
    git_oid_tostr(id, sizeof id, git_commit_id(commit));
    revision.commit = id;
    if (const git_signature* author = git_commit_author(commit)) {
        revision.author = valid_utf8(author->name ? author->name : "");
        revision.time = time_text(author->when.time);
    }
    const char* summary = git_commit_summary(const_cast<git_commit*>(commit));
    revision.message = valid_utf8(summary ? summary : "");
    return revision;
}

}  // namespace

Outcome<History> file_history(const Access& access, const HistoryQuestion& question) {
    const GitLibrary library;
    auto place = find_past(access, question.path);
    if (!place) return place.failure();
    auto repository = open_repository(access, *place);
    if (!repository) return repository.failure();
    const char* folder = git_repository_workdir(repository->get());
    const std::string whole = access.absolute(place->root, place->path);
    if (!folder || !whole.starts_with(folder)) {
        return failed(question.path + " is not in its repository's working folder");
    }
    History history;
    history.exists = place->exists;
    history.path = whole.substr(std::string_view(folder).size());
    const Past past(repository->get(), history.path);
    git_revwalk* raw = nullptr;
    if (git_revwalk_new(&raw, repository->get()) != 0)
        return git_trouble("cannot walk the history");
    const Walker walker(raw);
    git_revwalk_sorting(raw, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
    if (git_revwalk_push_head(raw) != 0) return history;  // no commits yet
    git_oid id;
    std::size_t room = question.max_text;
    for (std::uint64_t seen = 0; git_revwalk_next(&id, raw) == 0; ++seen) {
        if (question.cancelled && question.cancelled()) return was_cancelled();
        if (seen == max_commits) {
            history.more = true;
            break;
        }
        if (question.progress && seen % commits_between_words == 0) question.progress(seen);
        git_commit* raw_commit = nullptr;
        if (git_commit_lookup(&raw_commit, repository->get(), &id) != 0) {
            return git_trouble("cannot read a commit");
        }
        const Commit commit(raw_commit);
        if (!past.changed(commit.get())) continue;
        if (history.revisions.size() == static_cast<std::size_t>(question.num_revisions)) {
            history.more = true;
            break;
        }
        Revision revision = revision_of(commit.get());
        revision.changes = past.changes(commit.get(), room);
        room -= std::min(room, revision.changes.size());
        history.revisions.push_back(std::move(revision));
    }
    return history;
}

}  // namespace file_operations
