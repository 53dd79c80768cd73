// branches, tags, create_branch, tag: lists and creates names.
#include <algorithm>

#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"

namespace git {
namespace {

constexpr std::size_t kShortId = 7;

// A ref's commit with the first line of its message.
Json target_json(git_repository* repository, const git_reference* ref) {
    git_object* peeled = nullptr;
    Json json{{"name", shown_path(git_reference_shorthand(ref))}};
    if (git_reference_peel(&peeled, ref, GIT_OBJECT_COMMIT) != 0) return json;
    const Object owner(peeled);
    const auto commit =
        make<Commit>("cannot read a commit", git_commit_lookup, repository, git_object_id(peeled));
    json["commit"] = hex(*git_commit_id(commit.get()));
    json["subject"] = first_line_of(git_commit_message(commit.get()));
    return json;
}

std::string line_of(const Json& json) {
    auto line = json.at("name").get<std::string>();
    if (!json.contains("commit")) return line + '\n';
    return line + ' ' + json["commit"].get<std::string>().substr(0, kShortId) + ' ' +
           json["subject"].get<std::string>() + '\n';
}

void add_branch(const Call& call, git_reference* ref, bool remote, Answer& answer) {
    auto json = target_json(call.git(), ref);
    const bool current = !remote && git_branch_is_head(ref) == 1;
    json["current"] = current;
    json["remote"] = remote;
    answer.text += (current ? "* " : "  ") + std::string(remote ? "remotes/" : "") + line_of(json);
    answer.details["branches"].push_back(std::move(json));
}

std::vector<std::string> tag_names(const Call& call) {
    git_strarray raw{};
    check(git_tag_list(&raw, call.git()), "cannot list the tags");
    std::vector<std::string> names(raw.strings, raw.strings + raw.count);
    git_strarray_dispose(&raw);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

Answer branches(const Call& call) {
    Answer answer;
    answer.details["branches"] = Json::array();
    const bool all = call.request.all.value_or(false);
    for (const auto kind : {GIT_BRANCH_LOCAL, GIT_BRANCH_REMOTE}) {
        if (kind == GIT_BRANCH_REMOTE && !all) continue;
        const auto list = make<BranchIterator>("cannot list the branches", git_branch_iterator_new,
                                               call.git(), kind);
        git_reference* raw = nullptr;
        git_branch_t found{};
        for (int code; (code = git_branch_next(&raw, &found, list.get())) != GIT_ITEROVER;) {
            check(code, "cannot list the branches");
            const Reference ref(raw);
            call.progress.step_or_stop("branches");
            if (ref_allowed(call.policy, git_reference_name(raw)))
                add_branch(call, raw, kind == GIT_BRANCH_REMOTE, answer);
        }
    }
    if (answer.text.empty()) answer.text = "no branches yet\n";
    return answer;
}

Answer tags(const Call& call) {
    Answer answer;
    auto& list = answer.details["tags"] = Json::array();
    const auto most = static_cast<std::size_t>(
        std::min(call.request.max_count.value_or(100), call.policy.max_log_count));
    const auto names = tag_names(call);
    for (const auto& name : names) {
        call.progress.step_or_stop("tags");
        const auto full = "refs/tags/" + name;
        if (!ref_allowed(call.policy, full)) continue;
        if (list.size() == most) {
            answer.truncated = true;
            break;
        }
        const auto ref =
            make<Reference>("cannot read a tag", git_reference_lookup, call.git(), full.c_str());
        auto json = target_json(call.git(), ref.get());
        const auto tag = find<Object>("cannot read a tag", git_object_lookup, call.git(),
                                      git_reference_target(ref.get()), GIT_OBJECT_ANY);
        const bool annotated = tag && git_object_type(tag.get()) == GIT_OBJECT_TAG;
        json["annotated"] = annotated;
        if (annotated) {
            const auto* message = git_tag_message(reinterpret_cast<git_tag*>(tag.get()));
            json["message"] = message != nullptr ? message : "";
        }
        answer.text += line_of(json);
        list.push_back(std::move(json));
    }
    if (list.empty()) answer.text = "no tags\n";
    return answer;
}

Answer create_branch(const Call& call) {
    const auto& name = *call.request.branch;
    check_new_name(call, name, "refs/heads/" + name);
    need_managed(call.policy, name, "create_branch");
    const auto commit = resolve_commit(call, call.request.ref.value_or("HEAD"));
    set_reflog_identity(call);
    git_reference* raw = nullptr;
    const int code = git_branch_create(&raw, call.git(), name.c_str(), commit.get(), 0);
    if (code == GIT_EEXISTS) fail("branch '" + name + "' already exists and is not overwritten");
    check(code, "cannot create branch '" + name + "'");
    const Reference ref(raw);
    Answer answer;
    answer.details = target_json(call.git(), raw);
    answer.text = "created branch " + line_of(answer.details);
    return answer;
}

Answer tag(const Call& call) {
    const auto& name = *call.request.name;
    check_new_name(call, name, "refs/tags/" + name);
    const auto target = resolve(call, call.request.ref.value_or("HEAD"));
    git_oid id;
    int code = 0;
    if (call.request.message) {
        const auto who = identity(call);
        code = git_tag_create(&id, call.git(), name.c_str(), target.get(), who.get(),
                              call.request.message->c_str(), 0);
    } else {
        code = git_tag_create_lightweight(&id, call.git(), name.c_str(), target.get(), 0);
    }
    if (code == GIT_EEXISTS) fail("tag '" + name + "' already exists and is not overwritten");
    check(code, "cannot create tag '" + name + "'");
    const auto full = "refs/tags/" + name;
    const auto ref =
        make<Reference>("cannot read the tag", git_reference_lookup, call.git(), full.c_str());
    Answer answer;
    answer.details = target_json(call.git(), ref.get());
    answer.details["annotated"] = call.request.message.has_value();
    answer.text = "created tag " + line_of(answer.details);
    return answer;
}

}  // namespace git
