#include "read_call.hpp"

namespace file_operations {
namespace {

void check(const ReadInput& in) {
    if (in.mode == "search" && !in.search_pattern) {
        throw toolhost::BadInput("/search_pattern", "is required in mode search");
    }
    if (in.mode == "diff" && !in.comparison_path) {
        throw toolhost::BadInput("/comparison_path", "is required in mode diff");
    }
    if (in.mode == "lines" && in.end_line &&
        *in.end_line < std::max<std::uint64_t>(in.start_line.value_or(1), 1)) {
        throw toolhost::BadInput("/end_line", "is before start_line");
    }
}

toolhost::Reply read(const ReadInput& in, toolhost::Context& context) {
    check(in);
    const auto policy = context.policy<Policy>();
    const Access access = open_access(context, policy);
    ReadCall call{in,
                  context,
                  policy,
                  access,
                  JsonRoom(context),
                  toolhost::Reply(),
                  ReadOutput(),
                  text_room(context, policy)};
    call.out.mode = in.mode.str();
    if (in.mode == "diff") {
        // Folders are compared as a whole, not file by file.
        call.out.found = 1;
        compare(call, in.path);
        return call.finish({});
    }
    PathQuestion question;
    question.list = in.path;
    question.recursive = in.recursive;
    // A file that no longer exists still has a history.
    question.past = in.mode == "time_machine" && in.git_history;
    question.most = in.mode == "find" ? policy.max_results.get() : policy.max_files + 1;
    question.cancelled = call.cancelled();
    const PathList list = take(context, expand_paths(access, question));
    call.out.found = list.paths.size();
    read_files(call, list);
    return call.finish(list.notes);
}

}  // namespace

toolhost::Tool file_read() {
    return toolhost::tool<read>(
               "file_read",
               "Reads files of the workspace: the whole file, lines or bytes, a preview, "
               "statistics, differences, git history, or documents and images. Use it when you "
               "know which file you want; start with stats or preview if it may be large. Text in "
               "other encodings is converted to UTF-8. Not for searching many files (use "
               "file_search), listing folders (use file_list), or files outside the workspace.")
        .title("Read files")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true})
        .require("toolhost", ">=1.0")
        .policy<Policy>()
        .set("denialReasons",
             denial_reasons({"file_too_large", "too_many_files", "too_many_bytes"}))
        .output<ReadOutput>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"path", "README.md"}, {"mode", "view"}}, "A whole file.")
        .example({{"path", "src/main.c"}, {"mode", "lines"}, {"start_line", 10}, {"end_line", 20}},
                 "Eleven lines of a file.")
        .example(
            {{"path", "docs/*.md,README.md"}, {"mode", "search"}, {"search_pattern", "install"}},
            "A word in several files.")
        .example({{"path", "README.md"}, {"mode", "time_machine"}, {"num_revisions", 3}},
                 "Its last three changes.");
}

}  // namespace file_operations
