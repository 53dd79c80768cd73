// One call of file_read: its input, its output, and what it has to say so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policy.hpp"
#include "read/parts.hpp"
#include "read/paths.hpp"
#include "text/names.hpp"
#include "tools.hpp"

namespace file_operations {

using toolhost::Field;
using toolhost::Max;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinLength;

struct ReadInput {
    Field<
        std::string,
        "The files: one path or several with commas between them, from the workspace or absolute. "
        "Patterns as *.md, src/**/*.c and {a,b}.txt, and folders, stand for the files in them.",
        MinLength<1>, MaxLength<8192>>
        path;
    Field<
        toolhost::Literal<"find", "view", "lines", "chunk", "search", "stats", "preview", "diff",
                          "time_machine", "document">,
        "find: which files there are; view: the whole content; lines: start_line to end_line; "
        "chunk: bytes; search: lines with search_pattern; stats: size, lines, encoding; preview: "
        "the first 50 lines; diff: against comparison_path; time_machine: the commits that changed "
        "it; document: the file itself as a document or image.">
        mode;
    Field<std::optional<std::uint64_t>, "The first line of mode lines, from 1; 0 is 1, too.">
        start_line;
    Field<std::optional<std::uint64_t>, "The last line of mode lines; without it the file's last.">
        end_line;
    Field<std::uint64_t, "How many bytes mode chunk reads.", Min<1>, Max<16777216>> chunk_size =
        std::uint64_t{1024};
    Field<std::uint64_t, "Where mode chunk begins, in bytes from 0."> chunk_offset =
        std::uint64_t{0};
    Field<std::optional<std::string>,
          "The text that mode search looks for: no regular expression, and case does not matter.",
          MinLength<1>, MaxLength<1000>>
        search_pattern;
    Field<int, "How many lines around each match mode search shows.", Min<0>, Max<100>>
        context_lines = 2;
    Field<bool, "Whether folders and patterns without ** also stand for files further down.">
        recursive = true;
    Field<std::optional<std::string>, "The file or folder that mode diff compares with.",
          MaxLength<4096>>
        comparison_path;
    Field<toolhost::Literal<"unified">, "How mode diff shows differences."> diff_type = "unified";
    Field<bool, "Whether mode time_machine asks git; else it tells what the file system knows.">
        git_history = true;
    Field<int, "How many commits mode time_machine shows.", Min<1>, Max<1000>> num_revisions = 5;
    Field<std::optional<
              toolhost::Literal<"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md">>,
          "The format that mode document names; without it by the file's extension.">
        format;
    Field<std::optional<std::string>,
          "The name that mode document gives, for one that tells a model nothing; without it the "
          "file's name and a part of its hash.",
          MinLength<1>, MaxLength<200>>
        neutral_name;
};

using Count = std::optional<std::uint64_t>;

struct ReadFile {
    Field<std::string, "The file, from the workspace where it is inside."> path;
    Field<Count, "Its size in bytes."> size;
    Field<std::optional<std::string>, "UTF-8, UTF-16LE, Windows-1252, binary and the like.">
        encoding;
    Field<Count, "How many lines it has (stats, preview)."> lines;
    Field<Count, "The first line shown."> first_line;
    Field<Count, "The last line shown."> last_line;
    Field<Count, "Where the chunk begins."> offset;
    Field<Count, "How many bytes the chunk has."> bytes;
    Field<Count, "How many lines match (search)."> matches;
    Field<std::optional<std::string>, "When it was last changed, in UTC (stats)."> modified;
    Field<std::optional<std::string>, "Who may do what, as rw-r--r-- (stats)."> permissions;
    Field<std::optional<std::string>,
          "What is shown of it, the same as its text block (not in find, stats and document).">
        content;
    Field<std::optional<bool>,
          "Whether content is shorter than the text block, since maxOutputChars has no room for it "
          "here.">
        content_cut;
    Field<std::optional<bool>, "Whether there is more than is shown."> truncated;
    Field<std::optional<std::string>, "What to know of it, or why it could not be read."> note;
};

struct ReadOutput {
    Field<std::string, "The mode."> mode;
    Field<std::vector<ReadFile>, "The files, in the order of the text blocks."> files;
    Field<std::uint64_t, "How many files were found."> found;
    Field<bool, "Whether the list here is shorter than what the other blocks have."> list_cut;
    Field<std::optional<std::vector<std::string>>, "Parts of the path that name nothing, and such.">
        notes;
};

// One call: what it was asked, and what it has to say so far.
struct ReadCall {
    const ReadInput& in;
    toolhost::Context& context;
    const Policy& policy;
    const Access& access;
    JsonRoom room;
    toolhost::Reply reply;
    ReadOutput out;
    std::uint64_t text_left;
    std::uint64_t document_bytes = 0;     // so far
    std::string shown{};                  // the latest text, until its file is added
    std::vector<std::string> contents{};  // of out.files, in their order

    void add(const FileFacts& facts) {
        ReadFile file;
        file.path = facts.path;
        file.size = Count(facts.size);
        if (!facts.encoding.empty()) file.encoding = std::optional(facts.encoding);
        file.lines = facts.lines;
        file.first_line = facts.first_line;
        file.last_line = facts.last_line;
        file.offset = facts.offset;
        file.bytes = facts.bytes;
        file.matches = facts.matches;
        file.modified = facts.modified;
        file.permissions = facts.mode;
        if (facts.truncated) file.truncated = std::optional(true);
        if (!facts.note.empty()) file.note = std::optional(facts.note);
        add(std::move(file));
    }
    void add(ReadFile file) {
        auto content = std::exchange(shown, {});
        if (!room.take(toolhost::write_json(file))) return;
        out.files.push_back(std::move(file));
        contents.push_back(std::move(content));
    }
    // False: there was no room for all of it.
    bool text(std::string text) {
        const bool fits = text.size() <= text_left;
        if (!fits) {
            text = std::string(first_bytes(text, text_left)) + "\n[cut: ask for less at once]\n";
        }
        text_left -= std::min<std::uint64_t>(text_left, text.size());
        if (in.mode != "stats" && in.mode != "document" && in.mode != "find") shown = text;
        reply.text(std::move(text));
        return fits;
    }
    toolhost::Reply finish(const std::vector<std::string>& notes) {
        out.list_cut = room.full();
        // Some clients hand a model the JSON alone. Facts of all files come first.
        for (std::size_t i = 0; i < contents.size(); ++i) {
            if (contents[i].empty()) continue;
            const auto part = room.take_text(contents[i]);
            if (part.empty()) {
                out.list_cut = true;
                continue;
            }
            if (part.size() < contents[i].size()) out.files[i].content_cut = std::optional(true);
            out.files[i].content = std::optional(std::string(part));
        }
        out.notes = room.notes(notes);
        reply.json(out);
        return std::move(reply);
    }
    [[nodiscard]] Cancelled cancelled() const {
        return [this] { return context.cancelled(); };
    }
};

// Of the files by their modes; diff has a way of its own, since it compares folders as folders.
void read_files(ReadCall& call, const PathList& list);
void compare(ReadCall& call, const std::string& path);

}  // namespace file_operations
