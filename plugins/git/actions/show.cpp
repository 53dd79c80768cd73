// show: displays one commit, tag, folder or file of the history.
#include "actions/commit_text.hpp"
#include "actions/patches.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"

namespace git {
namespace {

std::string tree_text(const git_tree* tree) {
    std::string text;
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const auto* entry = git_tree_entry_byindex(tree, i);
        text += shown_path(git_tree_entry_name(entry)) +
                (git_tree_entry_type(entry) == GIT_OBJECT_TREE ? "/\n" : "\n");
    }
    return text;
}

void show_blob(const git_blob* blob, Answer& answer) {
    const auto size = static_cast<std::size_t>(git_blob_rawsize(blob));
    const bool binary = git_blob_is_binary(blob) != 0;
    answer.details["size"] = size;
    answer.details["binary"] = binary;
    if (binary) {
        answer.text += "binary, " + std::to_string(size) + " bytes\n";
    } else {
        answer.text.append(static_cast<const char*>(git_blob_rawcontent(blob)), size);
    }
}

void show_commit(const Call& call, git_commit* commit, Answer& answer) {
    answer.text += commit_text(commit);
    answer.details.update(commit_json(commit));
    answer.details["message"] = git_commit_message(commit);
    DiffOptions options(call);
    options.split_type_changes();
    const auto diff = commit_diff(call, commit, options);
    if (git_diff_num_deltas(diff.get()) > 0)
        answer.text +=
            git_commit_parentcount(commit) > 1 ? "\nagainst the first parent:\n\n" : "\n";
    add_diff(call, diff.get(), answer, answer.details);
}

void show_object(const Call& call, git_object* object, Answer& answer) {
    answer.details["kind"] = git_object_type2string(git_object_type(object));
    if (git_object_type(object) == GIT_OBJECT_TAG) {
        auto* tag = reinterpret_cast<git_tag*>(object);
        answer.text += std::string("tag ") + git_tag_name(tag) + '\n';
        answer.details["tag"] = git_tag_name(tag);
        if (const auto* tagger = git_tag_tagger(tag))
            answer.text +=
                "Tagger: " + person(tagger) + "\nDate:   " + shown_time(tagger->when) + '\n';
        answer.text +=
            std::string("\n") + (git_tag_message(tag) ? git_tag_message(tag) : "") + '\n';
        const auto target = make<Object>("cannot read the tag's object", git_tag_target, tag);
        show_object(call, target.get(), answer);
        answer.details["kind"] = "tag";
    } else if (git_object_type(object) == GIT_OBJECT_COMMIT) {
        show_commit(call, reinterpret_cast<git_commit*>(object), answer);
    } else if (git_object_type(object) == GIT_OBJECT_TREE) {
        answer.text += tree_text(reinterpret_cast<git_tree*>(object));
    } else {
        show_blob(reinterpret_cast<git_blob*>(object), answer);
    }
}

}  // namespace

Answer show(const Call& call) {
    const auto object = resolve(call, call.request.ref.value_or("HEAD"));
    Answer answer;
    answer.details["id"] = hex(*git_object_id(object.get()));
    show_object(call, object.get(), answer);
    return answer;
}

}  // namespace git
