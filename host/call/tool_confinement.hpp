// What a tool's calls in a worker process are held to, from its spec, the profile and the grants.
#pragma once

#include "host/call/view.hpp"
#include "host/policy/profile.hpp"
#include "host/registry/catalogue.hpp"
#include "host/runtime/runtime.hpp"

namespace toolhost::call {

// The profile's workspace as an absolute path: what relative paths of a tool's input are meant
// from.
[[nodiscard]] std::string workspace_of(const policy::Profile& profile);
// A granted path as an absolute one without "." and ".." and without a slash at its end, so that
// other paths can be compared with it. A relative one is meant from the workspace.
[[nodiscard]] std::string granted_path(const std::string& path, const std::string& workspace);

[[nodiscard]] worker::WorkerConfig make_worker_config(const policy::Profile& profile,
                                                      const policy::Limits& limits,
                                                      const policy::Granted& granted,
                                                      const std::vector<HostFile>& host_files);

// What a tool is told not to write: names in any folder, and toolhost's own files, which are
// absolute.
[[nodiscard]] std::vector<std::string> protected_of(const policy::Profile& profile,
                                                    const std::vector<HostFile>& host_files);

// The refusal of a tool that may write a folder which is toolhost's own, or lies in one: there is
// nothing there that it may write.
[[nodiscard]] std::optional<Error> refuse_own_folder(const std::string& tool,
                                                     const sandbox::Confinement& confinement,
                                                     const std::vector<HostFile>& host_files);

// What a grant names a tool by: a hidden tool that answers for an offer goes with its family.
[[nodiscard]] std::string granted_as(const registry::ToolSpec& spec);

// How each of the `missing` grants is given: a sentence each.
[[nodiscard]] std::vector<std::string> grant_hints(const registry::ToolSpec& spec,
                                                   const policy::Profile& profile,
                                                   const std::vector<std::string>& missing);

// Adds to the error of a tool that failed which optional needs were not granted.
void add_grant_hints(Error& error, const registry::ToolSpec& spec, const policy::Profile& profile,
                     const policy::Granted& granted);

}  // namespace toolhost::call
