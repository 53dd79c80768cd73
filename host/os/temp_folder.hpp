// A worker's private temporary folder. The host makes it, the reaper removes it when the worker has
// ended, and the host if the reaper was killed. All hosts of a user make theirs in one folder,
// which no tool may write and which workers see only their own part of.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace toolhost::os {

// Empty, with errno set, if there can be none.
[[nodiscard]] std::string make_temp_folder();
// The folders of this user's hosts for temporary files, of which some may not exist yet: the one in
// XDG_RUNTIME_DIR, if that is set, and last the one in TMPDIR.
[[nodiscard]] std::vector<std::string> private_folders();
// Makes one of them. False, with errno set: it is another user's, or others may use it.
[[nodiscard]] bool make_private_folder(const std::string& folder);
// Within that time. False: something is left of it, and is less than before.
bool remove_temp_folder(const std::string& folder, std::chrono::milliseconds most);

}  // namespace toolhost::os
