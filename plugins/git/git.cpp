#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actions/table.hpp"
#include "actions/text.hpp"
#include "output_schema.hpp"
#include "tools.hpp"

namespace git {
namespace {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::Max;
using toolhost::MaxItems;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinLength;

using ActionName = toolhost::Literal<"status", "log", "diff", "show", "blame", "branches", "tags",
                                     "files", "checkout", "create_branch", "stage", "unstage",
                                     "commit", "tag", "stash", "fetch", "push">;
using Text = std::optional<std::string>;
using Flag = std::optional<bool>;
using Number = std::optional<std::int64_t>;

// Each action accepts some of these; see the table in actions/table.cpp.
struct Input {
    Field<ActionName,
          "Read actions: status, log, diff, show, blame, branches, tags, files. Write actions, if "
          "the policy allows them: checkout, create_branch, stage, unstage, commit, tag, stash, "
          "fetch, push.">
        action;
    Field<Text,
          "The repository, or a folder in it, relative to the workspace (default: the workspace "
          "itself).",
          MaxLength<4096>>
        repo_path;
    Field<Text,
          "A branch, a tag, a commit or a commit expression (HEAD~2, v1.0, 1a2b3c4). log and diff "
          "also take ranges, a..b and a...b; show takes REF:PATH for a file's content. log, show, "
          "blame: default HEAD. diff: compares with the working tree. files: lists that commit. "
          "create_branch, tag: the target. checkout: detaches HEAD there, or with paths restores "
          "the files from there.",
          MaxLength<1024>,
          Keyword<"examples", R"(["main", "HEAD~3", "v1.0..main", "HEAD:README.md"])">>
        ref;
    Field<Text, "One file, relative to the repository's top folder. Required by blame.",
          MaxLength<4096>>
        path;
    Field<std::optional<std::vector<std::string>>,
          "Only these files and folders, relative to the repository's top folder; * and ? are "
          "wildcards.",
          MaxItems<1000>>
        paths;
    Field<Number, "log, tags: the maximum number of entries (default for log: 20).", Min<1>,
          Max<100000>>
        max_count;
    Field<Number, "log: skip this many commits first, for paging.", Min<0>, Max<10000000>> skip;
    Field<Text,
          "log: the earliest date: 2026-01-15, 2026-01-15T12:34:56Z (UTC by default), @1768480496, "
          "'3 days ago', yesterday.",
          MaxLength<64>>
        since;
    Field<Text, "log: the latest date, in the format of since.", MaxLength<64>> until;
    Field<Text, "log: only commits whose 'Name <address>' contains this text, not case-sensitive.",
          MaxLength<256>>
        author;
    Field<Text, "log: only commits whose message contains this text, not case-sensitive.",
          MaxLength<256>>
        grep;
    Field<Flag, "diff: staged changes, against HEAD or ref."> staged;
    Field<Flag, "log, diff, show: names of changed files instead of the patch."> name_only;
    Field<Flag, "log, diff, show: counts of changed lines instead of the patch."> stat;
    Field<Flag, "status, files, stash: include untracked files (default for status: true).">
        include_untracked;
    Field<Flag, "branches: include remote branches. stage, unstage: every change."> all;
    Field<Flag, "commit: allow a commit without staged changes."> allow_empty;
    Field<Number, "diff, show: unchanged lines around a change (default 3).", Min<0>, Max<1000>>
        context_lines;
    Field<Number, "blame: the first line, from 1.", Min<1>, Max<100000000>> start_line;
    Field<Number, "blame: the last line.", Min<1>, Max<100000000>> end_line;
    Field<Number, "stash: the index (default: 0, the newest).", Min<0>, Max<100000>> index;
    Field<Text, "commit, stash: the message. tag: creates an annotated tag with this message.",
          MinLength<1>, MaxLength<65536>>
        message;
    Field<Text,
          "create_branch: the name of the new branch. checkout: the branch to check out. fetch: "
          "only this branch. push: this branch (default: the current one).",
          MaxLength<256>>
        branch;
    Field<Text, "tag: the name of the new tag.", MaxLength<256>> name;
    Field<Text, "fetch, push: the remote's name (default: origin).", MaxLength<256>> remote;
    Field<std::optional<toolhost::Literal<"save", "list", "apply", "pop", "drop">>,
          "stash: the operation (default: save).">
        operation;
    Field<Text, "commit: the author's name, if not the committer; requires author_email.",
          MinLength<1>, MaxLength<256>>
        author_name;
    Field<Text, "commit: the author's address.", MinLength<1>, MaxLength<256>> author_email;
};

struct PolicyFields {
    Field<std::vector<ActionName>,
          "The allowed actions (default: read actions only). push also needs allow_push.">
        allowed_actions = {"status", "log", "diff", "show", "blame", "branches", "tags", "files"};
    Field<std::string,
          "The required prefix of branches that are created, checked out, committed to or pushed; "
          "empty: any.">
        managed_branch_prefix = toolhost::empty;
    Field<bool, "Whether push is allowed."> allow_push = toolhost::empty;
    Field<
        bool,
        "Whether checkout, stash apply and stash pop can run while tracked files have uncommitted "
        "changes. Even then, only a checkout of paths overwrites uncommitted changes.">
        allow_worktree_dirty = toolhost::empty;
    Field<std::int64_t,
          "The maximum number of files that one call stages, commits, checks out or stashes; lists "
          "of files are truncated to it.",
          Min<1>, Max<100000>>
        max_files = 200;
    Field<std::int64_t,
          "The maximum number of characters of one result, text and JSON together; longer results "
          "are marked as truncated.",
          Min<1000>, Max<10000000>>
        max_output_chars = 16000;
    Field<std::int64_t, "The maximum number of commits or tags that one call lists.", Min<1>,
          Max<100000>>
        max_log_count = 200;
    Field<std::int64_t,
          "The number of days of history that can be read; 0: no limit. log stops there, and no "
          "ref or range of any action can name an older commit except HEAD. blame still shows the "
          "older commits of HEAD's lines.",
          Min<0>, Max<100000>>
        max_age_days = 0;
    Field<std::int64_t, "Larger files are not blamed, and are compared as binary files.", Min<1>,
          Max<536870912>>
        max_file_bytes = 1048576;
    Field<std::vector<std::string>,
          "Patterns (* and ?) of branches and tags, by short or full name, that can be read or "
          "created; a remote branch also matches without the remote's name, and only matching ones "
          "are fetched. A hash must be reachable from one of them.">
        allowed_refs = {"*"};
    Field<std::vector<std::string>, "Patterns of denied refs; they take precedence."> denied_refs =
        toolhost::empty;
    Field<std::vector<std::string>, "Patterns of remotes that fetch and push can use.">
        allowed_remotes = {"*"};
    Field<std::vector<std::string>,
          "Patterns of hosts that fetch and push can reach over https (default: none). Remotes in "
          "the workspace need no entry.">
        allowed_hosts = toolhost::empty;
    Field<std::string,
          "The environment variable with the token for https; the profile's environment must pass "
          "it to the worker.">
        token_env = toolhost::empty;
    Field<std::string, "The committer's name (default: the repository's user.name)."> user_name =
        toolhost::empty;
    Field<std::string, "The committer's email address."> user_email = toolhost::empty;
};

Progress progress_for(toolhost::Context& context) {
    return Progress([&context] { return context.cancelled(); },
                    [&context](double done, std::optional<double> total, std::string_view what) {
                        static_cast<void>(context.progress(done, total, what));
                    });
}

// Some clients pass only the JSON to the model, so it also contains the text, as far as the host's
// limit for JSON allows.
void add_payload(Answer& answer, const std::string& action, std::size_t max_chars) {
    constexpr std::string_view with_payload[] = {"diff", "show", "blame"};
    constexpr std::size_t beside = 100;  // names of the members, with a reserve
    if (std::ranges::find(with_payload, action) == std::end(with_payload)) return;
    const auto taken = toolhost::detail::dump(answer.details).size() + beside;
    const auto shown = json_prefix(answer.text, max_chars - std::min(max_chars, taken));
    auto& part = answer.details[action];
    part["text"] = shown;
    if (shown.size() < answer.text.size()) part["text_cut"] = true;
}

toolhost::Reply serve(const Input& in, toolhost::Context& context) {
    const auto json = toolhost::write_json(in);  // with what was given, and nothing else
    const auto policy =
        toolhost::read_json<Policy>(toolhost::write_json(context.policy<PolicyFields>()));
    Progress progress = progress_for(context);
    try {
        std::vector<std::string> given;
        for (const auto& entry : json.items()) given.push_back(entry.key());
        const auto& action = action_named(in.action.view());
        check_fields(action, given);
        const auto protected_paths =
            action.effect == Effect::reads ? toolhost::ProtectedPaths() : context.protected_paths();
        auto answer = run(toolhost::read_json<Request>(json), policy, context.workspace(), progress,
                          protected_paths);
        constexpr std::size_t usual_chars = 20000;
        add_payload(answer, in.action.str(), context.max_output_chars().value_or(usual_chars));
        return toolhost::Reply().text(std::move(answer.text)).json(answer.details);
    } catch (const Denial& denial) {
        context.deny(denial.reason, denial.message);
    } catch (const Failure& failure) {
        context.fail("tool_failed", failure.message);
    } catch (const Misuse& misuse) {
        throw toolhost::BadInput("/" + misuse.field, misuse.message);
    } catch (const Stopped&) {
        throw toolhost::Cancelled{};
    }
}

}  // namespace

toolhost::Tool git_tool() {
    return toolhost::tool<serve>(
               "git",
               "Works with a git repository in the workspace: shows changes, history and files, "
               "and, if the policy allows it, stages, commits, branches, stashes, fetches and "
               "pushes. Use it for anything about a repository's state or history. Not for "
               "cloning, "
               "merging or rebasing, nor for commands of git beyond the actions; it runs no hooks, "
               "aliases or filters, reads no configuration but the repository's, never overwrites "
               "history, and sees nothing outside the workspace.")
        .title("Git")
        .version("1.0.0")
        .category("system")
        .needs({.network = true, .read = true, .write = true, .optional = {"network", "write"}})
        .require("toolhost", ">=1.0")
        .policy<PolicyFields>()
        .set("denialReasons", toolhost::denial_reasons(kReasons))
        .output_schema(output_schema())
        .hints({.read_only = false, .destructive = true, .idempotent = false, .open_world = true})
        .example({{"action", "status"}}, "The changes in the workspace's repository.")
        .example({{"action", "log"}, {"max_count", 5}, {"stat", true}},
                 "The last five commits with their changes.")
        .example({{"action", "diff"}, {"staged", true}}, "The changes of the next commit.")
        .example({{"action", "show"}, {"ref", "HEAD"}, {"name_only", true}},
                 "The last commit and the names of its files.");
}

}  // namespace git
