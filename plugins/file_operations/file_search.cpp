#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy.hpp"
#include "search/search.hpp"
#include "tools.hpp"

namespace file_operations {
namespace {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::Max;
using toolhost::MaxItems;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinLength;

using Globs = std::vector<std::string>;

struct Input {
    Field<std::string,
          "The regular expression (PCRE2, Unicode), matched against each line on its own.",
          MinLength<1>, MaxLength<4096>,
          Keyword<"examples", R"(["TODO|FIXME", "class \\w+Error", "^import .*numpy"])">>
        pattern;
    Field<std::string, "The folder to search recursively, or one file.", MinLength<1>,
          MaxLength<4096>>
        path = ".";
    Field<Globs,
          "Search only files that match one of these globs: *.py by name, src/**/*.c by path.",
          MaxItems<100>>
        include = toolhost::empty;
    Field<Globs, "Skip files and folders that match one of these globs.", MaxItems<100>> exclude =
        toolhost::empty;
    Field<toolhost::Literal<"smart", "sensitive", "ignore">,
          "Whether case matters; smart: only if the pattern has a capital letter.",
          toolhost::Name<"case">>
        match_case = "sensitive";
    Field<bool, "Match whole words only."> word = false;
    Field<bool, "Take the pattern as plain text, not as a regular expression."> literal = false;
    Field<toolhost::Literal<"matches", "files", "count">,
          "matches: the matching lines; files: only the names of matching files; count: the number "
          "of matching lines per file.">
        mode = "matches";
    Field<int, "The number of lines to show around each match.", Min<0>, Max<20>> context_lines = 0;
    Field<std::uint64_t,
          "The maximum number of matching lines or files to return, in the order of paths.", Min<1>,
          Max<100000>>
        max_results = std::uint64_t{200};
    Field<bool, "Also search hidden files, if the policy allows them."> hidden = false;
    Field<bool, "Skip files ignored by .gitignore, .ignore and .git/info/exclude.">
        use_ignore_files = true;
};

struct Line {
    Field<std::uint64_t, "The line's number, from 1."> line;
    Field<std::optional<std::uint64_t>,
          "The byte offset of the match in the line, from 1; missing for a context line.">
        column;
    Field<std::string, "The line; truncated around the match if it is long."> text;
};

struct File {
    Field<std::string, "The file's path, relative to the workspace if it is inside."> path;
    Field<std::optional<std::uint64_t>,
          "The number of matching lines, in the modes matches and count.">
        count;
    Field<std::optional<std::vector<Line>>, "The lines, in mode matches."> lines;
};

struct Output {
    Field<std::vector<File>,
          "The files with matches, by path; if they are too many for this list, the text block has "
          "all of them.">
        files;
    Field<std::uint64_t, "The number of results: matching lines, or files."> results;
    Field<std::uint64_t, "The number of files searched."> files_searched;
    Field<bool, "Whether there are more than max_results; narrow the search if so."> more;
    Field<bool, "Whether the list here is shorter than the text block's."> list_cut;
    Field<std::optional<std::vector<std::string>>,
          "Problems, such as folders that could not be read.">
        notes;
};

bool ignores_case(const Input& in) {
    if (in.match_case != "smart") return in.match_case == "ignore";
    bool escaped = false;
    for (const char c : in.pattern) {
        if (!escaped && c >= 'A' && c <= 'Z') return false;
        escaped = !escaped && c == '\\';  // the W of \W is not a capital letter
    }
    return true;
}

void add_text(const FileHits& hits, const std::string& path, SearchMode mode, std::string& text) {
    if (mode == SearchMode::files) {
        text += path + '\n';
    } else if (mode == SearchMode::count) {
        text += path + ':' + std::to_string(hits.count) + '\n';
    }
    std::uint64_t last = 0;
    for (const FoundLine& line : hits.lines) {
        if (last != 0 && line.number > last + 1) text += "--\n";
        last = line.number;
        const char sign = line.column > 0 ? ':' : '-';
        text += path + sign + std::to_string(line.number) + sign + line.text + '\n';
    }
}

File file_of(const FileHits& hits, const std::string& path, SearchMode mode) {
    File file;
    file.path = path;
    if (mode != SearchMode::files) file.count = std::optional(hits.count);
    if (mode != SearchMode::matches) return file;
    std::vector<Line> lines;
    for (const FoundLine& found : hits.lines) {
        Line line;
        line.line = found.number;
        if (found.column > 0) line.column = std::optional(found.column);
        line.text = found.text;
        lines.push_back(std::move(line));
    }
    file.lines = std::optional(std::move(lines));
    return file;
}

toolhost::Reply reply_of(const SearchAnswer& answer, const Access& access, std::size_t root,
                         SearchMode mode, std::size_t text_room, JsonRoom room) {
    Output out;
    std::string text;
    bool text_cut = false;
    for (const FileHits& hits : answer.files) {
        const std::string path = access.shown(root, hits.path);
        if (!text_cut) {
            const std::size_t before = text.size();
            add_text(hits, path, mode, text);
            if (text.size() > text_room) {
                // Only whole lines of it.
                const auto end = text.rfind('\n', text_room - 1);
                text.resize(end == std::string::npos || end < before ? before : end + 1);
                text_cut = true;
            }
        }
        if (room.full()) continue;
        File file = file_of(hits, path, mode);
        if (room.take(toolhost::write_json(file))) out.files.push_back(std::move(file));
    }
    out.results = answer.results;
    out.files_searched = answer.files_searched;
    out.more = answer.more || text_cut;
    out.list_cut = room.full();
    std::vector<std::string> notes = answer.notes;
    if (answer.large_files > 0) {
        notes.push_back(std::to_string(answer.large_files) +
                        " files larger than the policy's max_file_bytes were skipped");
    }
    const std::size_t unsearched = notes.size();  // binary files are not reported
    if (answer.binary_files > 0) {
        notes.push_back(std::to_string(answer.binary_files) + " binary files were skipped");
    }
    out.notes = room.notes(notes);
    if (answer.files.empty())
        text = "No matches in " + std::to_string(answer.files_searched) + " files\n";
    if (out.more) text += "[more results exist: narrow the search]\n";
    // Readers of this text alone must know that it is incomplete.
    for (std::size_t i = 0; i < unsearched && text.size() + notes[i].size() < text_room; ++i)
        text += "[" + notes[i] + "]\n";
    return toolhost::Reply().text(std::move(text)).json(out);
}

toolhost::Reply search_files(const Input& in, toolhost::Context& context) {
    const auto policy = context.policy<Policy>();
    const Access access = open_access(context, policy);
    const Pattern pattern =
        take(context,
             Pattern::compile(
                 in.pattern,
                 {.literal = in.literal, .ignore_case = ignores_case(in), .whole_words = in.word},
                 "/pattern"));
    const Place place = take(context, access.find(in.path));
    if (!place.exists) context.fail("tool_failed", in.path + ": no such file or folder");
    if (!S_ISDIR(place.status.st_mode) && !S_ISREG(place.status.st_mode)) {
        context.fail("tool_failed", in.path + " is neither a file nor a folder");
    }
    const SearchMode mode = in.mode == "files"   ? SearchMode::files
                            : in.mode == "count" ? SearchMode::count
                                                 : SearchMode::matches;
    SearchQuestion question{.access = access, .pattern = pattern};
    question.root = place.root;
    question.path = place.path;
    question.is_folder = S_ISDIR(place.status.st_mode);
    question.include = globs_of(in.include);
    question.exclude = globs_of(in.exclude);
    question.hidden = in.hidden;
    question.honour_ignore_files = in.use_ignore_files;
    question.mode = mode;
    question.context_lines = in.context_lines;
    question.max_results = std::min(in.max_results.get(), policy.max_results.get());
    question.cancelled = [&context] { return context.cancelled(); };
    question.progress = [&context](std::uint64_t files) {
        context.progress(static_cast<double>(files), {}, "files searched");
    };
    SearchAnswer answer = take(context, search_tree(question));
    if (in.hidden && !policy.allow_hidden) answer.notes.insert(answer.notes.begin(), hidden_note);
    return reply_of(answer, access, place.root, mode, text_room(context, policy),
                    JsonRoom(context));
}

}  // namespace

toolhost::Tool file_search() {
    return toolhost::tool<search_files>(
               "file_search",
               "Searches the text files of a folder, recursively, for a regular expression, and "
               "returns the matching lines with file and line number. Use it to find where "
               "something is defined, used or mentioned before reading files. It skips binary "
               "files, hidden files and files ignored by .gitignore. Not for finding files by name "
               "(use file_list with a pattern), matching across lines, or replacing text.")
        .title("Search in files")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true})
        .require("toolhost", ">=1.0")
        .policy<Policy>()
        .set("denialReasons", denial_reasons())
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"pattern", "TODO|FIXME"}}, "All matching lines of the workspace.")
        .example({{"pattern", "def \\w+_test"}, {"include", {"*.py"}}, {"context_lines", 2}},
                 "In Python files, with two lines of context.")
        .example({{"pattern", "a.b(c)"}, {"literal", true}, {"mode", "files"}},
                 "The files that contain this literal text.");
}

}  // namespace file_operations
