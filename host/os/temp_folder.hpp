// A worker's private temporary folder. The host makes it, the reaper removes it when the worker has
// ended, and the host if the reaper was killed.
#pragma once

#include <chrono>
#include <string>

namespace toolhost::os {

// Empty, with errno set, if there can be none.
[[nodiscard]] std::string make_temp_folder();
// Where temporary folders are made.
[[nodiscard]] std::string temp_base();
// Within that time. False: something is left of it, and is less than before.
bool remove_temp_folder(const std::string& folder, std::chrono::milliseconds most);

}  // namespace toolhost::os
