// The composition root: options to a host that is ready for calls, with its configuration loaded,
// its plugin folders scanned and its registry filled. Nothing in here is static or prints. The
// commands use it directly; the public toolhost::Host (toolhost/host.hpp) wraps it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/call/invoker.hpp"
#include "host/created_tools.hpp"
#include "host/discovery/scan.hpp"
#include "host/host_options.hpp"
#include "host/os/folder_watch.hpp"
#include "host/profile_invokers.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtimes.hpp"

namespace toolhost::core {

class Host {
public:
    // Fails if the config file or the profile cannot be used: no call may run under another one.
    [[nodiscard]] static Result<std::unique_ptr<Host>> open(HostOptions options);
    // Ends the watch and the workers. No call may be running.
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    [[nodiscard]] const HostOptions& options() const { return options_; }
    [[nodiscard]] const discovery::Folders& folders() const { return folders_; }
    [[nodiscard]] worker::Quarantine quarantine() const {
        return worker::Quarantine(folders_.quarantine());
    }
    // Of the last scan.
    [[nodiscard]] discovery::ScanReport report() const {
        MutexLock lock(mutex_);
        return report_;
    }
    [[nodiscard]] registry::Snapshot catalogue() const { return registry_.snapshot(); }
    // The one of the host's own profile; see invoker_of() for others.
    [[nodiscard]] call::Invoker& invoker() { return invokers_.own(); }
    // The invoker of another profile by name or file; the empty name is the host's own. From any
    // thread. It lives as long as the host and follows every reload, so callers may keep it. Scans
    // again if tools may write more folders now, for no command of a requirement is run from there.
    [[nodiscard]] Result<call::Invoker*> invoker_of(const std::string& profile);
    // All there are so far, one for each profile.
    [[nodiscard]] std::vector<const call::Invoker*> invokers();
    // Sets values of one tool's policy for this process, over the profile's.
    [[nodiscard]] Result<void> set_policy(const registry::ToolSpec& spec, const Json& values,
                                          const std::string& source) {
        return invokers_.set_policy(spec, values, source);
    }

    // Adds a tool of this program's own, from any thread. It stays through every scan, and no
    // plugin takes its name. It runs in this process, under the same rules as others.
    [[nodiscard]] CreateResult create_tool(std::string_view spec,
                                           std::shared_ptr<loading::LocalCode> code);
    // Calls that run keep it until they end. False: no such tool was created.
    bool delete_tool(std::string_view name);

    // Scans the plugin folders again. From any thread. True: there are other tools than before.
    bool rescan();
    // Reads the config file and every profile in use again. For an unusable one, warns and keeps
    // the old one. True: other tools may be called now.
    bool reread_rules();
    // Both.
    bool reload() {
        const bool has_other_tools = rescan();
        return reread_rules() || has_other_tools;
    }

    // Watches the plugin folders from now on. After a change they are scanned again, and `looked`
    // is called on the watch's thread with the answer of rescan().
    void watch(std::function<void(bool changed)> looked);
    // As if a folder had changed; from any thread, and while there is a watch. Does not wait.
    void look_again();
    // Ends the watch, and returns when `looked` runs no more.
    void stop_watching() { watch_.reset(); }

    [[nodiscard]] runtime::Runtimes& runtimes() { return runtime_; }
    [[nodiscard]] const runtime::Runtimes& runtimes() const { return runtime_; }
    [[nodiscard]] LoadedConfig configuration() const { return invokers_.configuration(); }
    // Why the profile that was asked for is not in force; empty: it is.
    [[nodiscard]] const std::string& profile_problem() const { return profile_problem_; }

    [[nodiscard]] const std::shared_ptr<spdlog::logger>& events() const { return options_.events; }
    // Events that were written so far are visible to other processes when this returns.
    void flush_events();

private:
    Host(HostOptions options, LoadedConfig configuration, discovery::Folders folders,
         const discovery::ScanReport& report);
    // The tools of a scan into the registry, and the rest of it into the report.
    [[nodiscard]] Result<void> fill(discovery::ScanReport report,
                                    const discovery::ScanOptions& scan);
    void warn_of_report(const discovery::ScanReport& report) const;
    void warn_of_tools();
    void warn_of_allowlist();

    const HostOptions options_;
    std::string profile_problem_;
    const discovery::Folders folders_;
    Mutex rereading_, scanning_;  // taken in this order
    registry::Registry registry_;
    runtime::Runtimes runtime_;
    CreatedTools created_{registry_};
    ProfileInvokers invokers_;
    mutable Mutex mutex_;
    discovery::ScanReport report_ GUARDED_BY(mutex_);
    std::optional<os::FolderWatch> watch_;  // last: its thread uses everything above
};

}  // namespace toolhost::core
