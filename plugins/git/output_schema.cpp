#include "output_schema.hpp"

namespace git {

// By hand, because the objects are made where their facts are, in actions/; the host checks every
// answer against this.
nlohmann::json output_schema() {
    return nlohmann::json::parse(R"json({
"type": "object",
"required": ["action", "repo_path", "branch", "head", "truncated"],
"properties": {
  "action": {"type": "string", "description": "What was done; the object of this name has the facts."},
  "repo_path": {"type": "string", "description": "The repository's top folder, from the workspace."},
  "branch": {"type": ["string", "null"], "description": "The branch that HEAD is on afterwards; null if detached."},
  "head": {"type": ["string", "null"], "description": "HEAD's commit afterwards; null before the first."},
  "truncated": {"type": "boolean", "description": "Whether lists or the text were cut by the policy's limits."},
  "status": {"type": "object", "required": ["clean", "state", "staged", "unstaged", "untracked", "conflicts"], "properties": {
    "clean": {"type": "boolean", "description": "Whether nothing is changed and nothing untracked."},
    "state": {"type": "string", "description": "clean, merge, revert, cherry_pick, bisect, rebase or apply_mailbox."},
    "upstream": {"type": "string", "description": "The branch that this one follows."},
    "ahead": {"type": "integer", "description": "Commits that the upstream lacks."},
    "behind": {"type": "integer", "description": "Commits that only the upstream has."},
    "entry_count": {"type": "integer", "description": "Entries in all, also those cut."},
    "staged": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "What the next commit changes."},
    "unstaged": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "Changes that are not staged."},
    "untracked": {"type": "array", "items": {"type": "string"}, "description": "Files and whole folders that git does not know."},
    "conflicts": {"type": "array", "items": {"$ref": "#/$defs/entry"}, "description": "Files that a merge left in conflict."}}},
  "log": {"type": "object", "required": ["commits"], "properties": {
    "commits": {"type": "array", "items": {"$ref": "#/$defs/commit"}, "description": "Newest first."},
    "more": {"type": "boolean", "description": "Whether there are more: use skip."}}},
  "diff": {"$ref": "#/$defs/changes"},
  "show": {"allOf": [{"$ref": "#/$defs/changes"}], "required": ["id", "kind"], "properties": {
    "id": {"type": "string", "description": "The object's, or the commit's, hash."},
    "kind": {"enum": ["commit", "tag", "tree", "blob"], "description": "What the ref names."},
    "message": {"type": "string", "description": "The whole message."},
    "tag": {"type": "string", "description": "The tag's name."},
    "size": {"type": "integer", "description": "A blob's bytes."},
    "text": {"type": "string", "description": "The patch, or the content: the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, for want of room in maxOutputChars."},
    "binary": {"type": "boolean", "description": "Whether a blob is no text."}}},
  "blame": {"type": "object", "required": ["path", "line_count", "hunks"], "properties": {
    "path": {"type": "string", "description": "The file."},
    "line_count": {"type": "integer", "description": "The file's lines."},
    "text": {"type": "string", "description": "The lines, each with its commit: the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, for want of room in maxOutputChars."},
    "hunks": {"type": "array", "description": "Lines that one commit wrote.", "items": {"type": "object", "required": ["commit", "start_line", "lines"], "properties": {
      "commit": {"type": "string", "description": "The commit's hash."},
      "author": {"type": "string", "description": "The author's name."},
      "date": {"type": "string", "description": "ISO 8601."},
      "start_line": {"type": "integer", "description": "The first line, from 1."},
      "lines": {"type": "integer", "description": "How many."}}}}}},
  "branches": {"type": "object", "required": ["branches"], "properties": {
    "branches": {"type": "array", "items": {"$ref": "#/$defs/name"}, "description": "Local ones, then remote ones."}}},
  "tags": {"type": "object", "required": ["tags"], "properties": {
    "tags": {"type": "array", "items": {"$ref": "#/$defs/name"}, "description": "By name."}}},
  "files": {"type": "object", "required": ["files", "file_count"], "properties": {
    "files": {"type": "array", "items": {"type": "string"}, "description": "Tracked files, or those of the commit."},
    "untracked": {"type": "array", "items": {"type": "string"}, "description": "Files that git does not know."},
    "file_count": {"type": "integer", "description": "Files in all, also those cut."}}},
  "checkout": {"type": "object", "properties": {
    "commit": {"type": "string", "description": "The commit that is checked out."},
    "detached": {"type": "boolean", "description": "Whether HEAD is on no branch now."},
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
    "stashes": {"type": "array", "description": "All that are left.", "items": {"type": "object", "properties": {
      "index": {"type": "integer", "description": "0 is the newest."},
      "message": {"type": "string", "description": "What it was saved as."},
      "commit": {"type": "string", "description": "Its hash."}}}}}},
  "fetch": {"type": "object", "required": ["remote", "updated"], "properties": {
    "remote": {"type": "string", "description": "The remote's name."},
    "updated": {"type": "array", "description": "Refs that moved.", "items": {"type": "object", "properties": {
      "ref": {"type": "string", "description": "Its full name."},
      "old": {"type": "string", "description": "Where it was; zeros: nowhere."},
      "new": {"type": "string", "description": "Where it is now."}}}},
    "received_objects": {"type": "integer", "description": "Objects received."},
    "received_bytes": {"type": "integer", "description": "Bytes received."}}},
  "push": {"type": "object", "required": ["remote", "ref", "commit"], "properties": {
    "remote": {"type": "string", "description": "The remote's name."},
    "ref": {"type": "string", "description": "The ref that was pushed."},
    "commit": {"type": "string", "description": "Where it is now."}}}
},
"$defs": {
  "entry": {"type": "object", "required": ["path", "code"], "properties": {
    "path": {"type": "string", "description": "From the repository's top folder; quoted as git does if it is odd."},
    "old_path": {"type": "string", "description": "The name before a rename."},
    "code": {"type": "string", "description": "git's letter: A, M, D, R, T; two for a conflict."}}},
  "commit": {"type": "object", "required": ["id", "author", "email", "date", "subject", "parents"], "properties": {
    "id": {"type": "string", "description": "The commit's hash."},
    "author": {"type": "string", "description": "The author's name."},
    "email": {"type": "string", "description": "The author's address."},
    "date": {"type": "string", "description": "When it was written, ISO 8601."},
    "subject": {"type": "string", "description": "The message's first line."},
    "parents": {"type": "array", "items": {"type": "string"}, "description": "The commits before it."},
    "files": {"type": "array", "description": "With name_only or stat: what it changed."}}},
  "changes": {"type": "object", "properties": {
    "files": {"type": "array", "description": "What differs.", "items": {"type": "object", "required": ["path", "change"], "properties": {
      "path": {"type": "string", "description": "From the repository's top folder."},
      "old_path": {"type": "string", "description": "The name before a rename."},
      "change": {"enum": ["added", "modified", "deleted", "renamed", "copied", "type_changed", "untracked", "conflicted"], "description": "What happened to it."},
      "insertions": {"type": "integer", "description": "Lines added."},
      "deletions": {"type": "integer", "description": "Lines removed."},
      "binary": {"type": "boolean", "description": "Whether it is no text, or larger than max_file_bytes."}}}},
    "file_count": {"type": "integer", "description": "Files in all, also those cut."},
    "insertions": {"type": "integer", "description": "Lines added in the files listed."},
    "deletions": {"type": "integer", "description": "Lines removed in the files listed."},
    "text": {"type": "string", "description": "The patch (diff): the same as the text block."},
    "text_cut": {"type": "boolean", "description": "Whether text is shorter than the text block, for want of room in maxOutputChars."}}},
  "name": {"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string", "description": "The branch's or tag's name."},
    "commit": {"type": "string", "description": "The commit that it names."},
    "subject": {"type": "string", "description": "The first line of that commit's message."},
    "current": {"type": "boolean", "description": "Whether HEAD is on it."},
    "remote": {"type": "boolean", "description": "Whether it is what a remote had when last fetched."},
    "annotated": {"type": "boolean", "description": "Whether the tag has a message of its own."},
    "message": {"type": "string", "description": "That message."}}}
}})json");
}

}  // namespace git
