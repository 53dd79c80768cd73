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
    Field<std::string, "The file to write, relative to the workspace or absolute.", MinLength<1>,
          MaxLength<4096>>
        path;
    Field<std::string, "The new content of the file; with append or replace, the new part.">
        content;
    Field<toolhost::Literal<"w", "a">, "w: overwrite the file; a: the same as append."> mode = "w";
    Field<bool, "Append the content to the file."> append = false;
    Field<bool, "Create missing parent folders."> create_dirs = true;
    Field<std::optional<std::string>,
          "The current content of the file, for a safe write: if the file differs, nothing is "
          "written. Empty: the file must be empty or not exist. With replace: the part to replace. "
          "In a file with \\r\\n line ends, plain line ends match them, and those of content are "
          "converted.">
        expected_content;
    Field<bool,
          "Replace expected_content, which must occur in the file exactly once, with content. The "
          "rest is unchanged.">
        replace = false;
};

struct Output {
    Field<std::string, "The file's path, relative to the workspace if it is inside."> path;
    Field<std::string, "created, replaced, appended or edited."> action;
    Field<std::uint64_t, "The file's size now."> bytes;
    Field<std::uint64_t, "The file's size before."> bytes_before;
    Field<std::string, "The hexadecimal hash of the new file."> sha256;
    Field<std::optional<std::uint64_t>, "The first line of an edit, from 1."> line;
    Field<std::optional<int>, "The number of folders created."> folders_created;
    Field<std::optional<std::string>, "Additional information."> note;
};

toolhost::Reply write(const Input& in, toolhost::Context& context) {
    const bool append = in.append || in.mode == "a";
    if (in.replace && !in.expected_content) {
        throw toolhost::BadInput("/expected_content",
                                 "is required with replace: the part to replace");
    }
    if (in.replace && in.expected_content->empty()) {
        throw toolhost::BadInput("/expected_content", "must not be empty with replace");
    }
    if (in.replace && append) {
        throw toolhost::BadInput("/replace", "cannot be combined with append");
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
    if (written.had_other_names) note = "the file had other hard links, which keep the old content";
    if (written.windows_lines)
        note += std::string(note.empty() ? "" : "; ") +
                "the file has \\r\\n line ends, so those of content were converted";
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
               "edits one place in it. The write is atomic and keeps the file's mode. Use it to "
               "save results and to change source text. To change an existing file, set "
               "expected_content and replace, so that nothing unseen is lost. Not for binary "
               "content, for deleting, moving or copying files, or for changing modes.")
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
                 "Change one place, if it occurs exactly once.");
}

}  // namespace file_operations
