// Which files are toolhost's own, so that no tool may write them, and where tools may write.
#pragma once

#include <string>
#include <vector>

#include "host/call/view.hpp"
#include "host/discovery/folders.hpp"
#include "host/discovery/scan.hpp"
#include "host/policy/config.hpp"
#include "host/policy/profile.hpp"

namespace toolhost {

// A file given by the user, as an absolute path.
[[nodiscard]] call::HostFile host_file(const std::string& path, std::string called);

// The files of every host: configuration, plugins, cache, temporary files, `program` and the
// running program. The default folders are included even if others are in use, because the next
// start may use them.
[[nodiscard]] std::vector<call::HostFile> host_files(const policy::Config& config,
                                                     const discovery::Folders& folders,
                                                     const std::string& program);

// The files of a profile and of all profiles that it extends.
[[nodiscard]] std::vector<call::HostFile> profile_files(const policy::Profile& profile);

// Plugins that are links in a plugin folder, and the targets of these links.
[[nodiscard]] std::vector<call::HostFile> linked_plugins(const discovery::ScanReport& report);

// Where tools may write under the profile and the user's grants, whichever tool and grant.
[[nodiscard]] std::vector<std::string> writable_folders(const policy::Profile& profile,
                                                        const std::vector<policy::Grant>& users);

}  // namespace toolhost
