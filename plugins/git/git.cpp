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

// Each action takes some of these; the table in actions/table.cpp says which.
struct Input {
    Field<ActionName,
          "Reading: status, log, diff, show, blame, branches, tags, files. Writing, if the policy "
          "allows it: checkout, create_branch, stage, unstage, commit, tag, stash, fetch, push.">
        action;
    Field<Text,
          "The repository, or a folder in it, from the workspace. The workspace itself without it.",
          MaxLength<4096>>
        repo_path;
    Field<Text,
          "A branch, a tag, a commit or an expression of one (HEAD~2, v1.0, 1a2b3c4). log and diff "
          "also take ranges, a..b and a...b; show takes REF:PATH for a file's content. log, show, "
          "blame: HEAD without it. diff: compares with the working tree. files: lists that commit. "
          "create_branch, tag: where it is put. checkout: detaches HEAD there, or with paths takes "
          "the files from there.",
          MaxLength<1024>,
          Keyword<"examples", R"(["main", "HEAD~3", "v1.0..main", "HEAD:README.md"])">>
        ref;
    Field<Text, "One file, from the repository's top folder. Required by blame.", MaxLength<4096>>
        path;
    Field<std::optional<std::vector<std::string>>,
          "Only these files and folders, from the repository's top folder; * and ? match.",
          MaxItems<1000>>
        paths;
    Field<Number, "log, tags: at most so many; 20 for log.", Min<1>, Max<100000>> max_count;
    Field<Number, "log: leave out so many first, to page on.", Min<0>, Max<10000000>> skip;
    Field<Text,
          "log: not before this: 2026-01-15, 2026-01-15T12:34:56Z (UTC where it does not say), "
          "@1768480496, '3 days ago', yesterday.",
          MaxLength<64>>
        since;
    Field<Text, "log: not after this, written as since.", MaxLength<64>> until;
    Field<Text, "log: only commits whose 'Name <address>' has this text; case does not matter.",
          MaxLength<256>>
        author;
    Field<Text, "log: only commits whose message has this text; case does not matter.",
          MaxLength<256>>
        grep;
    Field<Flag, "diff: what is staged, against HEAD or ref."> staged;
    Field<Flag, "log, diff, show: names of changed files in place of the patch."> name_only;
    Field<Flag, "log, diff, show: counts of changed lines in place of the patch."> stat;
    Field<Flag, "status: untracked files too (true without it). files, stash: them too.">
        include_untracked;
    Field<Flag, "branches: remote ones too. stage, unstage: every change."> all;
    Field<Flag, "commit: also if nothing is staged."> allow_empty;
    Field<Number, "diff, show: unchanged lines around a change; 3 without it.", Min<0>, Max<1000>>
        context_lines;
    Field<Number, "blame: the first line, from 1.", Min<1>, Max<100000000>> start_line;
    Field<Number, "blame: the last line.", Min<1>, Max<100000000>> end_line;
    Field<Number, "stash: which one; 0, the newest, without it.", Min<0>, Max<100000>> index;
    Field<Text, "commit: the message. tag: makes an annotated tag. stash: what it is saved as.",
          MinLength<1>, MaxLength<65536>>
        message;
    Field<Text,
          "create_branch: the new one's name. checkout: the one to go to. fetch: only this one. "
          "push: this one, else the current one.",
          MaxLength<256>>
        branch;
    Field<Text, "tag: the new one's name.", MaxLength<256>> name;
    Field<Text, "fetch, push: a remote's name; origin without it.", MaxLength<256>> remote;
    Field<std::optional<toolhost::Literal<"save", "list", "apply", "pop", "drop">>,
          "stash: what to do; save without it.">
        operation;
    Field<Text, "commit: the author's name, if another than who commits; with author_email.",
          MinLength<1>, MaxLength<256>>
        author_name;
    Field<Text, "commit: the author's address.", MinLength<1>, MaxLength<256>> author_email;
};

struct Knobs {
    Field<std::vector<ActionName>,
          "What may be done. Reading only unless more is named; push needs allow_push too.">
        allowed_actions = {"status", "log", "diff", "show", "blame", "branches", "tags", "files"};
    Field<std::string,
          "Branches that may be made, checked out, committed to and pushed begin with this; empty: "
          "any.">
        managed_branch_prefix = toolhost::empty;
    Field<bool, "Whether anything may be pushed."> allow_push = toolhost::empty;
    Field<
        bool,
        "Whether checkout, stash apply and stash pop may run while tracked files have uncommitted "
        "changes. Even then nothing uncommitted is overwritten but by a checkout of paths.">
        allow_worktree_dirty = toolhost::empty;
    Field<
        std::int64_t,
        "Files that one call may stage, commit, check out or stash; lists of files are cut at it.",
        Min<1>, Max<100000>>
        max_files = 200;
    Field<std::int64_t, "Characters of one answer, text and JSON together; more is cut, and said.",
          Min<1000>, Max<10000000>>
        max_output_chars = 16000;
    Field<std::int64_t, "Commits or tags that one call may list.", Min<1>, Max<100000>>
        max_log_count = 200;
    Field<
        std::int64_t,
        "How many days back the history is read; 0: to the beginning. log stops there, and no ref "
        "or range of any action may name an older commit but HEAD. blame still says of HEAD's "
        "lines which older commit they are from.",
        Min<0>, Max<100000>>
        max_age_days = 0;
    Field<std::int64_t, "Larger files are not blamed, and compared as binary ones.", Min<1>,
          Max<536870912>>
        max_file_bytes = 1048576;
    Field<
        std::vector<std::string>,
        "Patterns (* and ?) of branches and tags, by short or full name, that may be read or made; "
        "of a remote's branch also without the remote's name, and only such are fetched. A hash "
        "must be on one of them.">
        allowed_refs = {"*"};
    Field<std::vector<std::string>, "Patterns of those that may not; they win."> denied_refs =
        toolhost::empty;
    Field<std::vector<std::string>, "Patterns of remotes' names that fetch and push may use.">
        allowed_remotes = {"*"};
    Field<std::vector<std::string>,
          "Patterns of hosts that fetch and push may reach by https; none unless named. Remotes in "
          "the workspace need none.">
        allowed_hosts = toolhost::empty;
    Field<std::string,
          "The environment variable with the token for https; the profile's environment must hand "
          "it to the worker.">
        token_env = toolhost::empty;
    Field<std::string, "Who commits; the repository's user.name without it."> user_name =
        toolhost::empty;
    Field<std::string, "The address of who commits."> user_email = toolhost::empty;
};

Watch watch_for(toolhost::Context& context) {
    return Watch([&context] { return context.cancelled(); },
                 [&context](double done, std::optional<double> total, std::string_view what) {
                     static_cast<void>(context.progress(done, total, what));
                 });
}

// Some clients hand a model the JSON alone, so what only the text has is there, too, as far as the
// host's limit for JSON has room.
void add_payload(Answer& answer, const std::string& action, std::size_t max_chars) {
    constexpr std::string_view with_payload[] = {"diff", "show", "blame"};
    constexpr std::size_t beside = 100;  // the members' names, and some
    if (std::ranges::find(with_payload, action) == std::end(with_payload)) return;
    const auto taken = toolhost::detail::dump(answer.details).size() + beside;
    const auto shown = json_prefix(answer.text, max_chars - std::min(max_chars, taken));
    auto& part = answer.details[action];
    part["text"] = shown;
    if (shown.size() < answer.text.size()) part["text_cut"] = true;
}

toolhost::Reply serve(const Input& in, toolhost::Context& context) {
    const auto json = toolhost::write_json(in);  // with what was given, and nothing else
    const auto policy = toolhost::read_json<Policy>(toolhost::write_json(context.policy<Knobs>()));
    Watch watch = watch_for(context);
    try {
        std::vector<std::string> given;
        for (const auto& entry : json.items()) given.push_back(entry.key());
        const auto& action = action_named(in.action.view());
        check_fields(action, given);
        const auto protected_paths =
            action.effect == Effect::reads ? toolhost::ProtectedPaths() : context.protected_paths();
        auto answer = run(toolhost::read_json<Request>(json), policy, context.workspace(), watch,
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
               "Works with a git repository in the workspace: looks at changes, history and files, "
               "and, where the policy allows it, stages, commits, branches, stashes, fetches and "
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
        .policy<Knobs>()
        .set("denialReasons", toolhost::denial_reasons(kReasons))
        .output_schema(output_schema())
        .hints({.read_only = false, .destructive = true, .idempotent = false, .open_world = true})
        .example({{"action", "status"}}, "What is changed in the workspace's repository.")
        .example({{"action", "log"}, {"max_count", 5}, {"stat", true}},
                 "The last five commits with what they changed.")
        .example({{"action", "diff"}, {"staged", true}}, "What the next commit would change.")
        .example({{"action", "show"}, {"ref", "HEAD"}, {"name_only", true}},
                 "The last commit and the names of its files.");
}

}  // namespace git
