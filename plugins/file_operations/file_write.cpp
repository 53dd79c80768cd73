#include <cstdint>
#include <optional>
#include <string>

#include "policy.hpp"
#include "tools.hpp"
#include "write/atomic_write.hpp"

namespace file_operations {
namespace {

using toolhost::Field;
using toolhost::MaxLength;
using toolhost::MinLength;

struct Input {
    Field<std::string, "The file to write, from the workspace or absolute.", MinLength<1>,
          MaxLength<4096>>
        path;
    Field<std::string, "What the file is to hold; or, with append or replace, the new part.">
        content;
    Field<toolhost::Literal<"w", "a">, "w: the file holds the content alone; a: as append."> mode =
        "w";
    Field<bool, "Put the content behind what the file holds."> append = false;
    Field<bool, "Make missing folders on the way."> create_dirs = true;
    Field<std::optional<std::string>,
          "What the file holds now, for a safe write: if it holds anything else, nothing is "
          "written. Empty: the file must be empty or not exist. With replace: the part to replace. "
          "For a file whose lines end with \\r\\n plain line ends do; those of content become the "
          "same.">
        expected_content;
    Field<bool,
          "Replace expected_content, which must be in the file exactly once, by content, and leave "
          "the rest as it is.">
        replace = false;
};

struct Output {
    Field<std::string, "The file, from the workspace where it is inside."> path;
    Field<std::string, "created, replaced, appended or edited."> action;
    Field<std::uint64_t, "The file's size now."> bytes;
    Field<std::uint64_t, "The file's size before."> bytes_before;
    Field<std::string, "The hash of the whole file now, hexadecimal."> sha256;
    Field<std::optional<std::uint64_t>, "The line where an edit begins, from 1."> line;
    Field<std::optional<int>, "How many folders were made."> folders_created;
    Field<std::optional<std::string>, "What else to know."> note;
};

toolhost::Reply write(const Input& in, toolhost::Context& context) {
    const bool append = in.append || in.mode == "a";
    if (in.replace && !in.expected_content) {
        throw toolhost::BadInput("/expected_content",
                                 "is needed with replace: the part to replace");
    }
    if (in.replace && in.expected_content->empty()) {
        throw toolhost::BadInput("/expected_content", "must not be empty with replace");
    }
    if (in.replace && append) {
        throw toolhost::BadInput("/replace",
                                 "does not go with append: an edit is one or the other");
    }
    const auto policy = context.policy<Policy>();
    const Access access = open_access(context, policy, Purpose::write);
    WriteOrder order;
    order.path = in.path;
    order.content = in.content.get();
    order.append = append;
    order.create_dirs = in.create_dirs;
    if (in.expected_content) order.expected = *in.expected_content;
    order.replace = in.replace;
    order.cancelled = [&context] { return context.cancelled(); };
    const Written written = take(context, write_file(access, order));

    Output out;
    out.path = written.path;
    out.action = written.action;
    out.bytes = written.bytes;
    out.bytes_before = written.bytes_before;
    out.sha256 = written.sha256;
    if (written.line > 0) out.line = std::optional(written.line);
    if (written.folders_created > 0) out.folders_created = std::optional(written.folders_created);
    std::string note;
    if (written.had_other_names)
        note = "the file had other names (hard links), which keep the old content";
    if (written.windows_lines)
        note += std::string(note.empty() ? "" : "; ") +
                "the file's lines end with \\r\\n, and so do those of content now";
    if (!note.empty()) out.note = std::optional(note);
    const std::string text = "File write success: " + written.action + ' ' + written.path + ", " +
                             std::to_string(written.bytes) + " bytes";
    return toolhost::Reply().text(text).json(out);
}

}  // namespace

toolhost::Tool file_write() {
    return toolhost::tool<write>(
               "file_write",
               "Writes a text file in the workspace: creates it, replaces it, appends to it, or "
               "edits one place in it. The write happens whole or not at all, and keeps the file's "
               "mode. Use it to save results and to change source text; for a change of an "
               "existing "
               "file give expected_content and replace, so that nothing unseen is lost. Not for "
               "binary content, for deleting, moving or copying files, nor for changing modes.")
        .title("Write a file")
        .version("1.0.0")
        .category("file_ops")
        .needs({.read = true, .write = true})
        .require("toolhost", ">=1.0")
        .requires_consent()
        .policy<Policy>()
        .set("denialReasons", denial_reasons({"file_too_large", "protected_path", "read_only"}))
        .output<Output>()
        .hints({.destructive = true})
        .example({{"path", "notes/today.md"}, {"content", "# Today\n"}},
                 "A new file, with its folder.")
        .example({{"path", "notes/today.md"}, {"content", "- one more\n"}, {"mode", "a"}},
                 "One more line at the end.")
        .example({{"path", "notes/today.md"},
                  {"expected_content", "- one more"},
                  {"content", "- done"},
                  {"replace", true}},
                 "One place changed, if it is there exactly once.");
}

}  // namespace file_operations
