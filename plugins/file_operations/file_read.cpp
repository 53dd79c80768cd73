#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy.hpp"
#include "read/compare.hpp"
#include "read/history.hpp"
#include "read/parts.hpp"
#include "read/paths.hpp"
#include "text/names.hpp"
#include "tools.hpp"

namespace file_operations {
namespace {

using toolhost::Field;
using toolhost::Max;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinLength;

struct Input {
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

struct File {
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
    Field<std::optional<bool>, "Whether there is more than is shown."> truncated;
    Field<std::optional<std::string>, "What to know of it, or why it could not be read."> note;
};

struct Output {
    Field<std::string, "The mode."> mode;
    Field<std::vector<File>, "The files, in the order of the text blocks."> files;
    Field<std::uint64_t, "How many files were found."> found;
    Field<bool, "Whether the list here is shorter than what the other blocks have."> list_cut;
    Field<std::optional<std::vector<std::string>>, "Parts of the path that name nothing, and such.">
        notes;
};

// One call: what it was asked, and what it has to say so far.
struct Call {
    const Input& in;
    toolhost::Context& context;
    const Policy& policy;
    const Access& access;
    JsonRoom room;
    toolhost::Reply reply;
    Output out;
    std::uint64_t text_left;
    std::uint64_t document_bytes = 0;  // so far

    void add(const FileFacts& facts) {
        File file;
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
    void add(File file) {
        if (room.take(toolhost::write_json(file))) out.files.push_back(std::move(file));
    }
    // False: there was no room for all of it.
    bool text(std::string text) {
        const bool fits = text.size() <= text_left;
        if (!fits) {
            text = std::string(first_bytes(text, text_left)) + "\n[cut: ask for less at once]\n";
        }
        text_left -= std::min<std::uint64_t>(text_left, text.size());
        reply.text(std::move(text));
        return fits;
    }
    toolhost::Reply finish(const std::vector<std::string>& notes) {
        out.list_cut = room.full();
        out.notes = room.notes(notes);
        reply.json(out);
        return std::move(reply);
    }
    [[nodiscard]] Cancelled cancelled() const {
        return [this] { return context.cancelled(); };
    }
};

struct Mode {
    std::string_view name;
    ReadMode read;
};
constexpr std::array<Mode, 7> modes{{{"view", view},
                                     {"lines", lines},
                                     {"chunk", chunk},
                                     {"search", search},
                                     {"stats", stats},
                                     {"preview", preview},
                                     {"document", document}}};

ReadOptions options_of(const Call& call) {
    const Input& in = call.in;
    ReadOptions options;
    options.start_line = in.start_line.value_or(1);
    options.end_line = in.end_line.get();
    options.chunk_size = in.chunk_size;
    options.chunk_offset = in.chunk_offset;
    options.search_pattern = in.search_pattern.value_or("");
    options.context_lines = in.context_lines;
    options.max_matches = call.policy.max_results;
    options.cancelled = call.cancelled();
    options.progress = [&call](double done, double total) {
        call.context.progress(done, total, "bytes read");
    };
    if (in.format) options.format = in.format->str();
    options.neutral_name = in.neutral_name.value_or("");
    return options;
}

// What a file's text has besides its lines: a heading with the path, and the notes.
constexpr std::size_t room_for_heading = 300;

void no_room_for(Call& call, const std::string& path) {
    File file;
    file.path = path;
    file.truncated = std::optional(true);
    file.note = std::optional<std::string>("no room is left in this answer: read it on its own");
    call.add(std::move(file));
}

void read_one(Call& call, ReadMode read, const std::string& path, bool only_one,
              ReadOptions& options) {
    const std::size_t heading = path.size() + room_for_heading;
    if (!only_one && call.text_left <= heading) return no_room_for(call, path);
    options.max_text = call.text_left - std::min<std::uint64_t>(heading, call.text_left / 2);
    auto open = open_to_read(call.access, path);
    auto part = open ? read(call.access, *open, options) : Outcome<FilePart>(open.refusal());
    if (!part) {
        // With several files, one that cannot be read does not take the others along.
        const Refusal& refusal = part.refusal();
        if (only_one || refusal.why == Refusal::Why::cancelled) raise(call.context, refusal);
        call.text("Error: " + refusal.message + '\n');
        File file;
        file.path = path;
        file.note = std::optional(refusal.message);
        call.add(std::move(file));
        return;
    }
    if (part->media) {
        const Media& media = *part->media;
        // All of them are in memory together.
        call.document_bytes += media.bytes.size();
        if (call.document_bytes > call.policy.max_document_bytes) {
            call.context.deny("too_many_bytes",
                              "the documents are together larger than the policy's "
                              "max_document_bytes, " +
                                  std::to_string(call.policy.max_document_bytes.get()) +
                                  ": ask for fewer at once");
        }
        if (media.kind == "image") {
            call.reply.image(media.format, media.bytes);
        } else {
            call.reply.document(media.name, media.format, media.bytes);
        }
    }
    if (!part->text.empty() || !part->media) {
        if (!part->facts.note.empty()) {
            if (part->facts.truncated && !part->text.ends_with('\n')) part->text += '\n';
            part->text += "[" + part->facts.note + "]\n";
        }
        if (!call.text(std::move(part->text))) part->facts.truncated = true;
    }
    call.add(part->facts);
}

void find(Call& call, const PathList& list) {
    std::string text = "Found " + std::to_string(list.paths.size()) + " files:\n";
    for (const std::string& path : list.paths) {
        text += path + '\n';
        if (call.room.full()) continue;
        File file;
        file.path = path;
        call.add(std::move(file));
    }
    if (list.more) text += "[there are more: narrow the path]\n";
    (void)call.text(std::move(text));
}

void compare(Call& call, const std::string& path) {
    const auto difference = take(
        call.context,
        diff_paths(call.access, path, *call.in.comparison_path, call.text_left, call.cancelled()));
    std::string text = "Diff between " + path + " and " + *call.in.comparison_path + ":\n" +
                       (difference.text.empty() ? "no differences\n" : difference.text);
    FileFacts facts;
    facts.path = path;
    facts.truncated = difference.truncated;
    facts.note = std::to_string(difference.files) + " files differ, " +
                 std::to_string(difference.added) + " lines added, " +
                 std::to_string(difference.removed) + " removed";
    if (!call.text(std::move(text))) facts.truncated = true;
    call.add(facts);
}

void tell_status(Call& call, const std::string& path) {
    const OpenFile open = take(call.context, open_to_read(call.access, path));
    FileFacts facts;
    facts.path = open.path;
    facts.size = open.size;
    facts.modified = time_text(open.status.st_mtim.tv_sec);
    facts.mode = mode_text(open.status.st_mode);
    call.text("File information for " + open.path + "\nModified: " + *facts.modified +
              "\nChanged: " + time_text(open.status.st_ctim.tv_sec) + "\nAccessed: " +
              time_text(open.status.st_atim.tv_sec) + "\nSize: " + std::to_string(open.size) +
              " bytes\nOwner: " + std::to_string(open.status.st_uid) +
              "\nPermissions: " + *facts.mode + '\n');
    call.add(facts);
}

void tell_history(Call& call, const std::string& path) {
    if (!call.in.git_history) return tell_status(call, path);
    HistoryQuestion question;
    question.path = path;
    question.num_revisions = call.in.num_revisions;
    question.max_text = call.text_left;
    question.cancelled = call.cancelled();
    question.progress = [&call](std::uint64_t commits) {
        call.context.progress(static_cast<double>(commits), {}, "commits seen");
    };
    const History history = take(call.context, file_history(call.access, question));
    std::string text = "Time Machine view for " + path + ":\n";
    for (const Revision& revision : history.revisions) {
        text += "\nCommit: " + revision.commit + "\nAuthor: " + revision.author +
                "\nTime: " + revision.time + "\nMessage: " + revision.message + "\nChanges:\n" +
                revision.changes;
    }
    if (history.revisions.empty()) text += "no commit has this file\n";
    if (history.more) text += "[there are older commits: raise num_revisions]\n";
    FileFacts facts;
    facts.path = path;
    facts.truncated = history.more;
    facts.note = std::to_string(history.revisions.size()) + " commits";
    if (!call.text(std::move(text))) facts.truncated = true;
    call.add(facts);
}

void check(const Input& in) {
    if (in.mode == "search" && !in.search_pattern) {
        throw toolhost::BadInput("/search_pattern", "is needed in mode search");
    }
    if (in.mode == "diff" && !in.comparison_path) {
        throw toolhost::BadInput("/comparison_path", "is needed in mode diff");
    }
    if (in.mode == "lines" && in.end_line &&
        *in.end_line < std::max<std::uint64_t>(in.start_line.value_or(1), 1)) {
        throw toolhost::BadInput("/end_line", "is before start_line");
    }
}

void read_files(Call& call, const PathList& list) {
    const std::string mode = call.in.mode.str();
    if (mode == "find") return find(call, list);
    if (list.paths.size() > call.policy.max_files) {
        call.context.deny(
            "too_many_files",
            "the path stands for more than " + std::to_string(call.policy.max_files.get()) +
                " files, which is the policy's max_files: narrow it, or use mode find");
    }
    ReadOptions options = options_of(call);
    for (const std::string& path : list.paths) {
        call.context.stop_if_cancelled();
        if (mode == "time_machine") {
            tell_history(call, path);
            continue;
        }
        for (const Mode& known : modes) {
            if (known.name == mode)
                read_one(call, known.read, path, list.paths.size() == 1, options);
        }
    }
}

toolhost::Reply read(const Input& in, toolhost::Context& context) {
    check(in);
    const auto policy = context.policy<Policy>();
    const Access access = open_access(context, policy);
    Call call{in,
              context,
              policy,
              access,
              JsonRoom(context),
              toolhost::Reply(),
              Output(),
              text_room(context, policy)};
    call.out.mode = in.mode.str();
    if (in.mode == "diff") {
        // Folders are compared as folders, and not file by file.
        call.out.found = 1;
        compare(call, in.path);
        return call.finish({});
    }
    PathQuestion question;
    question.list = in.path;
    question.recursive = in.recursive;
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
               "Reads files of the workspace: whole, by lines or bytes, as a preview, as "
               "statistics, "
               "their differences, their git history, or as documents and images. Use it when you "
               "know which file you want; begin with stats or preview if it may be large. Text of "
               "other encodings comes as UTF-8. Not for searching many files (use file_search), "
               "for "
               "looking around (use file_list), nor for anything outside of the workspace.")
        .title("Read files")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true})
        .require("toolhost", ">=1.0")
        .policy<Policy>()
        .set("denialReasons", denial_reasons())
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"path", "README.md"}, {"mode", "view"}}, "A whole file.")
        .example({{"path", "src/main.c"}, {"mode", "lines"}, {"start_line", 10}, {"end_line", 20}},
                 "Eleven lines of it.")
        .example(
            {{"path", "docs/*.md,README.md"}, {"mode", "search"}, {"search_pattern", "install"}},
            "A word in some files.")
        .example({{"path", "README.md"}, {"mode", "time_machine"}, {"num_revisions", 3}},
                 "Its last three changes.");
}

}  // namespace file_operations
