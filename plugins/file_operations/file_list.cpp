#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "list/listing.hpp"
#include "policy.hpp"
#include "read/parts.hpp"
#include "tools.hpp"

namespace file_operations {
namespace {

using toolhost::Field;
using toolhost::Max;
using toolhost::MaxLength;
using toolhost::Min;
using toolhost::MinLength;

struct Input {
    Field<std::string, "The folder to list, or one file.", MinLength<1>, MaxLength<4096>> path =
        ".";
    Field<
        std::string,
        "List only entries that match this glob: *.py by name, src/**/*.c by path from the folder.",
        MaxLength<1000>>
        pattern = toolhost::empty;
    Field<toolhost::Literal<"any", "file", "folder", "link">, "List only entries of this type.">
        type = "any";
    Field<toolhost::Literal<"flat", "tree">,
          "flat: one line per entry with mode, size, time and path; tree: folders with their "
          "content.">
        format = "flat";
    Field<int, "The number of levels to list; 1: the folder's own entries.", Min<1>, Max<64>>
        depth = 1;
    Field<bool, "Also list hidden entries, if the policy allows them."> hidden = false;
    Field<toolhost::Literal<"name", "size", "time", "type">,
          "The order: by name, largest first, newest first, or folders first.">
        sort = "name";
    Field<bool, "Reverse the order."> reverse = false;
    Field<std::uint64_t, "The maximum number of entries to list.", Min<1>, Max<100000>>
        max_results = std::uint64_t{500};
};

struct Entry {
    Field<std::string, "The entry's path, relative to the workspace if it is inside."> path;
    Field<std::string, "file, folder, link or other."> type;
    Field<std::optional<std::uint64_t>, "A file's size in bytes."> size;
    Field<std::string, "The time of the last change, in UTC."> modified;
    Field<std::string, "The permissions, such as rw-r--r--."> mode;
    Field<std::optional<std::string>, "The target stored in a link."> target;
};

struct Output {
    Field<std::string, "The listed path."> path;
    Field<std::vector<Entry>,
          "The entries; if they are too many for this list, the text block has all of them.">
        entries;
    Field<std::uint64_t, "The number of files, links and other entries, listed or not."> files;
    Field<std::uint64_t, "The number of folders, listed or not."> folders;
    Field<std::uint64_t, "The total size of the files."> bytes;
    Field<bool, "Whether there are more entries than the text block lists."> more;
    Field<bool, "Whether the list here is shorter than the text block's."> list_cut;
    Field<std::optional<std::vector<std::string>>,
          "Problems, such as folders that could not be read.">
        notes;
};

Entry entry_of(const ListedEntry& listed) {
    Entry entry;
    entry.path = listed.path;
    entry.type = std::string(name_of(listed.kind));
    if (listed.kind == Kind::file) entry.size = std::optional(listed.size);
    entry.modified = time_text(listed.modified);
    entry.mode = mode_text(listed.mode);
    if (listed.kind == Kind::link) entry.target = std::optional(listed.target);
    return entry;
}

SortBy sort_of(std::string_view word) {
    if (word == "size") return SortBy::size;
    if (word == "time") return SortBy::time;
    return word == "type" ? SortBy::kind : SortBy::name;
}

toolhost::Reply list_files(const Input& in, toolhost::Context& context) {
    const auto policy = context.policy<Policy>();
    const Access access = open_access(context, policy);
    ListQuestion question{.access = access};
    question.path = in.path;
    question.pattern = in.pattern;
    question.kind = in.type == "any" ? "" : in.type.str();
    question.depth = in.depth;
    question.hidden = in.hidden;
    question.sort = sort_of(in.sort.str());
    question.reverse = in.reverse;
    question.max_results = std::min(in.max_results.get(), policy.max_results.get());
    question.cancelled = [&context] { return context.cancelled(); };
    question.progress = [&context](std::uint64_t entries) {
        context.progress(static_cast<double>(entries), {}, "entries seen");
    };
    const Listed listed = take(context, list_path(question));

    Output out;
    out.path = listed.path;
    JsonRoom room(context);
    for (const ListedEntry& one : listed.entries) {
        if (room.full()) break;
        if (!one.is_listed) continue;
        Entry entry = entry_of(one);
        if (room.take(toolhost::write_json(entry))) out.entries.push_back(std::move(entry));
    }
    out.files = listed.files;
    out.folders = listed.folders;
    out.bytes = listed.bytes;
    out.list_cut = room.full();
    std::vector<std::string> notes = listed.notes;
    if (in.hidden && !policy.allow_hidden) notes.insert(notes.begin(), hidden_note);
    out.notes = room.notes(notes);
    std::string text = in.format == "tree" ? tree_text(listed) : flat_text(listed);
    // Whole lines, with room for the summary, which the host would otherwise cut off.
    const std::size_t most = text_room(context, policy);
    const bool cut = text.size() > most;
    if (cut) {
        const auto end = text.rfind('\n', most - 1);
        text.resize(end == std::string::npos ? 0 : end + 1);
    }
    out.more = listed.more || cut;
    text += std::to_string(listed.files) + " files, " + std::to_string(listed.folders) +
            " folders, " + size_text(listed.bytes) + '\n';
    if (out.more) text += "[more entries exist: narrow the path or the pattern]\n";
    return toolhost::Reply().text(std::move(text)).json(out);
}

}  // namespace

toolhost::Tool file_list() {
    return toolhost::tool<list_files>(
               "file_list",
               "Lists files and folders of the workspace with types, sizes and times: one folder "
               "or a tree. Use it to explore a project, or to find files by name, size or age. "
               "Links are shown but not followed. Not for reading files (use file_read) or "
               "searching their text (use file_search).")
        .title("List files")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true})
        .require("toolhost", ">=1.0")
        .policy<Policy>()
        .set("denialReasons", denial_reasons())
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example(nlohmann::json::object(), "The workspace's own entries.")
        .example({{"format", "tree"}, {"depth", 3}}, "Three levels as a tree.")
        .example({{"pattern", "*.log"}, {"depth", 10}, {"sort", "size"}, {"max_results", 10}},
                 "The ten largest logs.");
}

}  // namespace file_operations
