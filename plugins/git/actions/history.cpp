#include "actions/history.hpp"

#include "actions/refs.hpp"

namespace git {
namespace {

constexpr std::string_view kWhat = "cannot walk the history";

}  // namespace

RawObject::RawObject(git_odb* odb, const git_oid& id, git_object_t type) {
    git_odb_object* read = nullptr;
    check(git_odb_read(&read, odb, &id), "cannot read an object");
    object_.reset(read);
    if (git_odb_object_type(read) != type)
        fail("object " + hex(id) + " is not a " + git_object_type2string(type));
}

History::History(const Call& call)
    : call_(call),
      odb_(make<Odb>("cannot open the objects", git_repository_odb, call.git())),
      graph_(std::filesystem::path(git_repository_commondir(call.git())) /
             "objects/info/commit-graph"),
      shallow_(shallow_commits(call.git())) {}

void History::start(const std::string& ref) {
    const auto range = parse_range(ref);
    if (!range) {
        follow(*git_commit_id(resolve_commit(call_, ref).get()));
        return;
    }
    const auto from = resolve_commit(call_, range->from), to = resolve_commit(call_, range->to);
    keep_to_range(*git_commit_id(from.get()), *git_commit_id(to.get()), range->symmetric);
    follow(*git_commit_id(to.get()));
    if (range->symmetric) follow(*git_commit_id(from.get()));
}

// The commits before the range are known only after all of it was walked.
void History::keep_to_range(const git_oid& from, const git_oid& to, bool symmetric) {
    const auto walk = make<Revwalk>(kWhat, git_revwalk_new, call_.git());
    check(git_revwalk_push(walk.get(), &to), kWhat);
    git_oid base = from;
    int found = 0;
    if (symmetric) {
        check(git_revwalk_push(walk.get(), &from), kWhat);
        found = git_merge_base(&base, call_.git(), &from, &to);
        if (found != GIT_ENOTFOUND) check(found, "cannot find the common ancestor");
    }
    if (found == 0) check(git_revwalk_hide(walk.get(), &base), kWhat);
    range_.emplace();
    git_oid id;
    for (int code; (code = git_revwalk_next(&id, walk.get())) != GIT_ITEROVER;) {
        check(code, kWhat);
        call_.progress.step_or_stop("commits");
        range_->insert(id);
    }
}

void History::follow(const git_oid& id) {
    if (range_ && range_->count(id) == 0) return;
    auto& commit = known(id);
    if (commit.followed) return;
    commit.followed = true;
    waiting_.push({commit.links.time, places_++, id});
}

std::optional<git_oid> History::next() {
    if (waiting_.empty()) return std::nullopt;
    const auto id = waiting_.top().id;
    waiting_.pop();
    return id;
}

const CommitLinks& History::links(const git_oid& id) {
    return known(id).links;
}

History::Known& History::known(const git_oid& id) {
    const auto [place, is_new] = known_.try_emplace(id);
    if (!is_new) return place->second;
    auto links = graph_.find(id);
    place->second.links = links ? std::move(*links) : links_of(raw(id, GIT_OBJECT_COMMIT).bytes());
    if (!shallow_.empty() && shallow_.contains(hex(id))) place->second.links.parents.clear();
    return place->second;
}

}  // namespace git
