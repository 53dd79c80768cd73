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
    Field<std::string, "The folder to search with all below it, or one file.", MinLength<1>,
          MaxLength<4096>>
        path = ".";
    Field<Globs, "Search only files that one of these fits: *.py by name, src/**/*.c by path.",
          MaxItems<100>>
        include = toolhost::empty;
    Field<Globs, "Leave out files and folders that one of these fits.", MaxItems<100>> exclude =
        toolhost::empty;
    Field<toolhost::Literal<"smart", "sensitive", "ignore">,
          "Whether case matters; smart: only if the pattern has a capital letter.",
          toolhost::Name<"case">>
        match_case = "sensitive";
    Field<bool, "Match whole words only."> word = false;
    Field<bool, "Take the pattern as plain text, not as a regular expression."> literal = false;
    Field<toolhost::Literal<"matches", "files", "count">,
          "matches: the lines; files: only which files match; count: how many lines in each.">
        mode = "matches";
    Field<int, "How many lines around each match to show.", Min<0>, Max<20>> context_lines = 0;
    Field<std::uint64_t,
          "How many matching lines, or files, to answer with at most: the first by path.", Min<1>,
          Max<100000>>
        max_results = std::uint64_t{200};
    Field<bool, "Search hidden files too, if the policy allows them."> hidden = false;
    Field<bool, "Leave out what .gitignore, .ignore and .git/info/exclude name."> use_ignore_files =
        true;
};

struct Line {
    Field<std::uint64_t, "The line's number, from 1."> line;
    Field<std::optional<std::uint64_t>,
          "Where in the line the match begins, in bytes from 1; none: "
          "a line of context.">
        column;
    Field<std::string, "The line, cut around the match if it is long."> text;
};

struct File {
    Field<std::string, "The file, from the workspace where it is inside."> path;
    Field<std::optional<std::uint64_t>,
          "How many of its lines match, in the modes matches and count.">
        count;
    Field<std::optional<std::vector<Line>>, "The lines, in mode matches."> lines;
};

struct Output {
    Field<std::vector<File>,
          "The files with matches, by path; the text block has all of them where "
          "there are too many for this list.">
        files;
    Field<std::uint64_t, "How many results there are: matching lines, or files."> results;
    Field<std::uint64_t, "How many files were searched."> files_searched;
    Field<bool, "Whether there are more than max_results: narrow the search."> more;
    Field<bool, "Whether the list here is shorter than the text block's."> list_cut;
    Field<std::optional<std::vector<std::string>>, "Folders that could not be read, and the like.">
        notes;
};

bool ignores_case(const Input& in) {
    if (in.match_case != "smart") return in.match_case == "ignore";
    bool escaped = false;
    for (const char c : in.pattern) {
        if (!escaped && c >= 'A' && c <= 'Z') return false;
        escaped = !escaped && c == '\\';  // \W is no capital letter
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
                // Whole lines of it, as far as they go.
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
                        " files larger than the policy's max_file_bytes were left out");
    }
    const std::size_t unsearched = notes.size();  // binary ones nobody misses
    if (answer.binary_files > 0) {
        notes.push_back(std::to_string(answer.binary_files) + " binary files were left out");
    }
    out.notes = room.notes(notes);
    if (answer.files.empty())
        text = "No matches in " + std::to_string(answer.files_searched) + " files\n";
    if (out.more) text += "[there are more results: narrow the search]\n";
    // Who reads only this must not take it for all.
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
    if (!place.exists) context.fail("tool_failed", in.path + ": there is no such file or folder");
    if (!S_ISDIR(place.status.st_mode) && !S_ISREG(place.status.st_mode)) {
        context.fail("tool_failed", in.path + " is no file and no folder");
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
               "Searches the text files of a folder and all below it for a regular expression, and "
               "answers with the matching lines by file and line number. Use it to find where "
               "something is defined, used or said, before reading files. It leaves out binary "
               "files, hidden files and what .gitignore names. Not for finding files by name (use "
               "file_list with a pattern), for matches across lines, nor for replacing text.")
        .title("Search in files")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true})
        .require("toolhost", ">=1.0")
        .policy<Policy>()
        .set("denialReasons", denial_reasons())
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"pattern", "TODO|FIXME"}}, "All such lines of the workspace.")
        .example({{"pattern", "def \\w+_test"}, {"include", {"*.py"}}, {"context_lines", 2}},
                 "In Python files, with two lines around.")
        .example({{"pattern", "a.b(c)"}, {"literal", true}, {"mode", "files"}},
                 "Which files have this text as it stands.");
}

}  // namespace file_operations
