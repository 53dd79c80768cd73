#include "output_schema.hpp"

namespace git {

// Written by hand, because actions/ creates the objects from their facts; the host checks every
// answer against it.
nlohmann::json output_schema() {
    return nlohmann::json::parse(R"json({
"type": "object",
"required": ["action", "repo_path", "branch", "head", "truncated"],
"properties": {
  "action": {"type": "string", "description": "The action; the object of this name has the result."},
  "repo_path": {"type": "string", "description": "The repository's top folder, relative to the workspace."},
  "branch": {"type": ["string", "null"], "description": "The branch of HEAD after the action; null if detached."},
  "head": {"type": ["string", "null"], "description": "HEAD's commit after the action; null before the first commit."},
  "truncated": {"type": "boolean", "description": "Whether lists or the text were truncated by the policy's limits."},
  "status": {"type": "object", "required": ["clean", "state", "staged", "unstaged", "untracked", "conflicts"], "properties": {
    "clean": {"type": "boolean", "description": "Whether there are no changes and no untracked files."},
    "state": {"type": "string", "description": "clean, merge, revert, cherry_pick, bisect, rebase or apply_mailbox."},
    "upstream": {"type": "string", "description": "The upstream branch."},
    "ahead": {"type": "integer", "description": "Commits that are missing upstream."},
    "behind": {"type": "integer", "description": "Commits that exist only upstream."},
    "entry_count": {"type": "integer", "description": "The total number of entries, including omitted ones."},
    "staged": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "The changes of the next commit."},
    "unstaged": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "Changes that are not staged."},
    "untracked": {"type": "array", "items": {"type": "string"}, "description": "Untracked files and folders."},
    "conflicts": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "Files that a merge left in conflict."}}},
  "log": {"type": "object", "required": ["commits"], "properties": {
    "commits": {"type": "array", "items": {"$ref": "#/$defs/commit"}, "description": "Newest first."},
    "more": {"type": "boolean", "description": "Whether there are more commits; read them with skip."}}},
  "diff": {"$ref": "#/$defs/changes"},
  "show": {"allOf": [{"$ref": "#/$defs/changes"}], "required": ["id", "kind"], "properties": {
    "id": {"type": "string", "description": "The hash of the object or commit."},
    "kind": {"enum": ["commit", "tag", "tree", "blob"], "description": "The type of the object."},
    "message": {"type": "string", "description": "The whole message."},
    "tag": {"type": "string", "description": "The tag's name."},
    "size": {"type": "integer", "description": "The size of a blob in bytes."},
    "text": {"type": "string", "description": "The patch or the content, the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, because of maxOutputChars."},
    "binary": {"type": "boolean", "description": "Whether a blob is binary."}}},
  "blame": {"type": "object", "required": ["path", "line_count", "hunks"], "properties": {
    "path": {"type": "string", "description": "The file."},
    "line_count": {"type": "integer", "description": "The number of lines of the file."},
    "text": {"type": "string", "description": "The lines, each with its commit, the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, because of maxOutputChars."},
    "hunks": {"type": "array", "description": "Consecutive lines of one commit.", "items": {"type": "object", "required": ["commit", "start_line", "lines"], "properties": {
      "commit": {"type": "string", "description": "The commit's hash."},
      "author": {"type": "string", "description": "The author's name."},
      "date": {"type": "string", "description": "ISO 8601."},
      "start_line": {"type": "integer", "description": "The first line, from 1."},
      "lines": {"type": "integer", "description": "The number of lines."}}}}}},
  "branches": {"type": "object", "required": ["branches"], "properties": {
    "branches": {"type": "array", "items": {"$ref": "#/$defs/name"}, "description": "Local branches, then remote branches."}}},
  "tags": {"type": "object", "required": ["tags"], "properties": {
    "tags": {"type": "array", "items": {"$ref": "#/$defs/name"}, "description": "The tags, by name."}}},
  "files": {"type": "object", "required": ["files", "file_count"], "properties": {
    "files": {"type": "array", "items": {"type": "string"}, "description": "Tracked files, or those of the commit."},
    "untracked": {"type": "array", "items": {"type": "string"}, "description": "Untracked files."},
    "file_count": {"type": "integer", "description": "The total number of files, including omitted ones."}}},
  "checkout": {"type": "object", "properties": {
    "commit": {"type": "string", "description": "The commit that is checked out."},
    "detached": {"type": "boolean", "description": "Whether HEAD is detached."},
    "files": {"type": "array", "items": {"type": "string"}, "description": "Files that were restored."},
    "file_count": {"type": "integer", "description": "Files that changed."}}},
  "create_branch": {"$ref": "#/$defs/name"},
  "tag": {"$ref": "#/$defs/name"},
  "stage": {"$ref": "#/$defs/changes"},
  "unstage": {"$ref": "#/$defs/changes"},
  "commit": {"allOf": [{"$ref": "#/$defs/changes"}], "required": ["id", "subject"], "properties": {
    "id": {"type": "string", "description": "The new commit's hash."},
    "subject": {"type": "string", "description": "The message's first line."}}},
  "stash": {"type": "object", "required": ["operation", "stashes"], "properties": {
    "operation": {"type": "string", "description": "What was done."},
    "stashes": {"type": "array", "description": "The remaining stashes.", "items": {"type": "object", "properties": {
      "index": {"type": "integer", "description": "0 is the newest."},
      "message": {"type": "string", "description": "The message of the stash."},
      "commit": {"type": "string", "description": "The commit's hash."}}}}}},
  "fetch": {"type": "object", "required": ["remote", "updated"], "properties": {
    "remote": {"type": "string", "description": "The remote's name."},
    "updated": {"type": "array", "description": "Updated refs.", "items": {"type": "object", "properties": {
      "ref": {"type": "string", "description": "The full name of the ref."},
      "old": {"type": "string", "description": "The old commit; zeros for a new ref."},
      "new": {"type": "string", "description": "The new commit."}}}},
    "received_objects": {"type": "integer", "description": "Objects received."},
    "received_bytes": {"type": "integer", "description": "Bytes received."}}},
  "push": {"type": "object", "required": ["remote", "ref", "commit"], "properties": {
    "remote": {"type": "string", "description": "The remote's name."},
    "ref": {"type": "string", "description": "The ref that was pushed."},
    "commit": {"type": "string", "description": "The new commit."}}}
},
"$defs": {
  "entry": {"type": "object", "required": ["path", "code"], "properties": {
    "path": {"type": "string", "description": "Relative to the repository's top folder; quoted like git if it has special characters."},
    "old_path": {"type": "string", "description": "The name before a rename."},
    "code": {"type": "string", "description": "git's status letter: A, M, D, R, T; two letters for a conflict."}}},
  "commit": {"type": "object", "required": ["id", "author", "email", "date", "subject", "parents"], "properties": {
    "id": {"type": "string", "description": "The commit's hash."},
    "author": {"type": "string", "description": "The author's name."},
    "email": {"type": "string", "description": "The author's address."},
    "date": {"type": "string", "description": "The author date, ISO 8601."},
    "subject": {"type": "string", "description": "The message's first line."},
    "parents": {"type": "array", "items": {"type": "string"}, "description": "The parent commits."},
    "files": {"type": "array", "description": "The changed files, with name_only or stat."}}},
  "changes": {"type": "object", "properties": {
    "files": {"type": "array", "description": "The differences.", "items": {"type": "object", "required": ["path", "change"], "properties": {
      "path": {"type": "string", "description": "Relative to the repository's top folder."},
      "old_path": {"type": "string", "description": "The name before a rename."},
      "change": {"enum": ["added", "modified", "deleted", "renamed", "copied", "type_changed", "untracked", "conflicted"], "description": "The kind of change."},
      "insertions": {"type": "integer", "description": "Lines added."},
      "deletions": {"type": "integer", "description": "Lines removed."},
      "binary": {"type": "boolean", "description": "Whether the file is binary, or larger than max_file_bytes."}}}},
    "file_count": {"type": "integer", "description": "The total number of files, including omitted ones."},
    "insertions": {"type": "integer", "description": "Lines added in the files listed."},
    "deletions": {"type": "integer", "description": "Lines removed in the files listed."},
    "text": {"type": "string", "description": "The patch (diff), the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, because of maxOutputChars."}}},
  "name": {"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string", "description": "The branch's or tag's name."},
    "commit": {"type": "string", "description": "The commit it refers to."},
    "subject": {"type": "string", "description": "The first line of that commit's message."},
    "current": {"type": "boolean", "description": "Whether it is the branch of HEAD."},
    "remote": {"type": "boolean", "description": "Whether it is a remote-tracking branch."},
    "annotated": {"type": "boolean", "description": "Whether the tag is annotated."},
    "message": {"type": "string", "description": "The message of an annotated tag."}}}
}})json");
}

}  // namespace git
