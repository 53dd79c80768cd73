// One call of file_read: its input, and its output so far.
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
    Field<std::string,
          "The files: one path, or several separated by commas, relative to the workspace or "
          "absolute. Globs such as *.md, src/**/*.c and {a,b}.txt, and folders, select the files "
          "in them.",
          MinLength<1>, MaxLength<8192>>
        path;
    Field<
        toolhost::Literal<"find", "view", "lines", "chunk", "search", "stats", "preview", "diff",
                          "time_machine", "document">,
        "find: the names of the files; view: the whole content; lines: start_line to end_line; "
        "chunk: bytes; search: lines with search_pattern; stats: size, lines, encoding; preview: "
        "the first 50 lines; diff: against comparison_path; time_machine: the commits that changed "
        "it; document: the file itself as a document or image.">
        mode;
    Field<std::optional<std::uint64_t>, "The first line of mode lines, from 1; 0 means 1.">
        start_line;
    Field<std::optional<std::uint64_t>,
          "The last line of mode lines (default: the last of the file).">
        end_line;
    Field<std::uint64_t, "The number of bytes that mode chunk reads.", Min<1>, Max<16777216>>
        chunk_size = std::uint64_t{1024};
    Field<std::uint64_t, "The start of mode chunk, in bytes from 0."> chunk_offset =
        std::uint64_t{0};
    Field<std::optional<std::string>,
          "The text that mode search looks for: literal, not case-sensitive.", MinLength<1>,
          MaxLength<1000>>
        search_pattern;
    Field<int, "The number of lines that mode search shows around each match.", Min<0>, Max<100>>
        context_lines = 2;
    Field<bool, "Whether folders and globs without ** also select files in subfolders."> recursive =
        true;
    Field<std::optional<std::string>, "The file or folder that mode diff compares with.",
          MaxLength<4096>>
        comparison_path;
    Field<toolhost::Literal<"unified">, "How mode diff shows differences."> diff_type = "unified";
    Field<bool,
          "Whether mode time_machine uses git; otherwise it shows the file system's information.">
        git_history = true;
    Field<int, "The number of commits that mode time_machine shows.", Min<1>, Max<1000>>
        num_revisions = 5;
    Field<std::optional<
              toolhost::Literal<"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md">>,
          "The format that mode document returns (default: by the file's extension).">
        format;
    Field<std::optional<std::string>,
          "The document name that mode document returns, for example a neutral one (default: the "
          "file's name and a part of its hash).",
          MinLength<1>, MaxLength<200>>
        neutral_name;
};

using Count = std::optional<std::uint64_t>;

struct ReadFile {
    Field<std::string, "The file's path, relative to the workspace if it is inside."> path;
    Field<Count, "Its size in bytes."> size;
    Field<std::optional<std::string>, "UTF-8, UTF-16LE, Windows-1252, binary and the like.">
        encoding;
    Field<Count, "The number of lines (stats, preview)."> lines;
    Field<Count, "The first line shown."> first_line;
    Field<Count, "The last line shown."> last_line;
    Field<Count, "The start of the chunk."> offset;
    Field<Count, "The size of the chunk in bytes."> bytes;
    Field<Count, "The number of matching lines (search)."> matches;
    Field<std::optional<std::string>, "The time of the last change, in UTC (stats)."> modified;
    Field<std::optional<std::string>, "The permissions, such as rw-r--r-- (stats)."> permissions;
    Field<std::optional<std::string>,
          "The shown content, the same as the text block (not in find, stats and document).">
        content;
    Field<std::optional<bool>,
          "Whether content is shorter than the text block, because of maxOutputChars.">
        content_cut;
    Field<std::optional<bool>, "Whether there is more content than shown."> truncated;
    Field<std::optional<std::string>, "Notes about the file, or why it could not be read."> note;
};

struct ReadOutput {
    Field<std::string, "The mode."> mode;
    Field<std::vector<ReadFile>, "The files, in the order of the text blocks."> files;
    Field<std::uint64_t, "The number of files found."> found;
    Field<bool, "Whether this list is shorter than the other blocks."> list_cut;
    Field<std::optional<std::vector<std::string>>,
          "Problems, such as parts of the path without a match.">
        notes;
};

// One call: its input, and its output so far.
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
    std::vector<std::string> contents{};  // of out.files, in the same order

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
    // Returns false if it did not fit completely.
    bool text(std::string text) {
        const bool fits = text.size() <= text_left;
        if (!fits) {
            text =
                std::string(first_bytes(text, text_left)) + "\n[truncated: request less at once]\n";
        }
        text_left -= std::min<std::uint64_t>(text_left, text.size());
        if (in.mode != "stats" && in.mode != "document" && in.mode != "find") shown = text;
        reply.text(std::move(text));
        return fits;
    }
    toolhost::Reply finish(const std::vector<std::string>& notes) {
        out.list_cut = room.full();
        // Some clients pass only the JSON to the model. Facts of all files come first.
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

// Reads files in their modes, except diff, which compares whole folders.
void read_files(ReadCall& call, const PathList& list);
void compare(ReadCall& call, const std::string& path);

}  // namespace file_operations
