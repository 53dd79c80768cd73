#include <array>
#include <string_view>

#include "read/compare.hpp"
#include "read/history.hpp"
#include "read_call.hpp"

namespace file_operations {
namespace {

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

ReadOptions options_of(const ReadCall& call) {
    const ReadInput& in = call.in;
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

// Room for text beside the file's lines: a heading with the path, and notes.
constexpr std::size_t room_for_heading = 300;

void add_omitted(ReadCall& call, const std::string& path) {
    ReadFile file;
    file.path = path;
    file.truncated = std::optional(true);
    file.note = std::optional<std::string>(
        "no room is left in this result: read the file in a separate call");
    call.add(std::move(file));
}

void read_one(ReadCall& call, ReadMode read, const std::string& path, bool only_one,
              ReadOptions& options) {
    const std::size_t heading = path.size() + room_for_heading;
    if (!only_one && call.text_left <= heading) return add_omitted(call, path);
    options.max_text = call.text_left - std::min<std::uint64_t>(heading, call.text_left / 2);
    auto open = open_to_read(call.access, path);
    auto part = open ? read(call.access, *open, options) : Outcome<FilePart>(open.failure());
    if (!part) {
        // A file that cannot be read does not affect the others.
        const Refusal& refusal = part.failure();
        if (only_one || refusal.why == Refusal::Why::cancelled) raise(call.context, refusal);
        call.text("Error: " + refusal.message + '\n');
        ReadFile file;
        file.path = path;
        file.note = std::optional(refusal.message);
        call.add(std::move(file));
        return;
    }
    if (part->media) {
        const Media& media = *part->media;
        // All documents are in memory at the same time.
        call.document_bytes += media.bytes.size();
        if (call.document_bytes > call.policy.max_document_bytes) {
            call.context.deny(
                Reason("too_many_bytes"),
                "the documents together are larger than the policy's max_document_bytes, " +
                    std::to_string(call.policy.max_document_bytes.get()) +
                    ": request fewer at once");
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

void find(ReadCall& call, const PathList& list) {
    std::string text = "Found " + std::to_string(list.paths.size()) + " files:\n";
    for (const std::string& path : list.paths) {
        text += path + '\n';
        if (call.room.full()) continue;
        ReadFile file;
        file.path = path;
        call.add(std::move(file));
    }
    if (list.more) text += "[more files exist: narrow the path]\n";
    (void)call.text(std::move(text));
}

void show_status(ReadCall& call, const std::string& path) {
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

void show_history(ReadCall& call, const std::string& path, bool only_one) {
    if (!call.in.git_history) return show_status(call, path);
    HistoryQuestion question;
    question.path = path;
    question.num_revisions = call.in.num_revisions;
    question.max_text = call.text_left;
    question.cancelled = call.cancelled();
    question.progress = [&call](std::uint64_t commits) {
        call.context.progress(static_cast<double>(commits), {}, "commits seen");
    };
    const History history = take(call.context, file_history(call.access, question));
    if (only_one && history.revisions.empty() && !history.exists) {
        call.context.fail("tool_failed", path + ": no such file, and it is in no commit");
    }
    std::string text = "Time Machine view for " + path + ":\n";
    if (!history.exists) text += "The file no longer exists.\n";
    for (const Revision& revision : history.revisions) {
        text += "\nCommit: " + revision.commit + "\nAuthor: " + revision.author +
                "\nTime: " + revision.time + "\nMessage: " + revision.message + "\nChanges:\n" +
                revision.changes;
    }
    if (history.revisions.empty()) text += "no commit has this file\n";
    if (history.more) text += "[older commits exist: raise num_revisions]\n";
    FileFacts facts;
    facts.path = path;
    facts.truncated = history.more;
    facts.note = std::to_string(history.revisions.size()) + " commits";
    if (!call.text(std::move(text))) facts.truncated = true;
    call.add(facts);
}

}  // namespace

void compare(ReadCall& call, const std::string& path) {
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

void read_files(ReadCall& call, const PathList& list) {
    const std::string mode = call.in.mode.str();
    if (mode == "find") return find(call, list);
    if (list.paths.size() > call.policy.max_files) {
        call.context.deny(Reason("too_many_files"),
                          "the path matches more than " +
                              std::to_string(call.policy.max_files.get()) +
                              " files (the policy's max_files): narrow it, or use mode find");
    }
    ReadOptions options = options_of(call);
    for (const std::string& path : list.paths) {
        call.context.stop_if_cancelled();
        if (mode == "time_machine") {
            show_history(call, path, list.paths.size() == 1);
            continue;
        }
        for (const Mode& known : modes) {
            if (known.name == mode)
                read_one(call, known.read, path, list.paths.size() == 1, options);
        }
    }
}

}  // namespace file_operations
