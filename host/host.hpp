// The composition root: turns options into a host that is ready for calls, with its configuration
// loaded, plugin folders scanned and registry filled. It has no static state and prints nothing.
// Commands use it directly; the public toolhost::Host (toolhost/host.hpp) wraps it.
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
    // Fails if the config file or the profile is unusable: calls must not run under another one.
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
    // The report of the last scan.
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
    // All existing invokers, one per profile.
    [[nodiscard]] std::vector<const call::Invoker*> invokers();
    // Overrides the profile for one tool in this process.
    [[nodiscard]] Result<void> set_policy(const registry::ToolSpec& spec, const Json& values,
                                          const std::string& source) {
        return invokers_.set_policy(spec, values, source);
    }

    // Adds a tool of the embedding program; thread-safe. Scans keep it, and no plugin can take its
    // name. It runs in this process, under the same rules as others.
    [[nodiscard]] CreateResult create_tool(std::string_view spec,
                                           std::shared_ptr<loading::LocalCode> code);
    // Running calls keep it until they end. Returns false if no such tool was created.
    bool delete_tool(std::string_view name);

    // Scans the plugin folders again; thread-safe. Returns whether the tools changed.
    bool rescan();
    // Reads the config file and all profiles in use again. Warns about an unusable one and keeps
    // the old one. Returns whether the set of allowed tools changed.
    bool reload_rules();
    // Does both.
    bool reload() {
        const bool has_other_tools = rescan();
        return reload_rules() || has_other_tools;
    }

    // Watches the plugin folders from now on. After a change they are scanned again, and
    // `rescanned` is called on the watch's thread with the result of rescan().
    void watch(std::function<void(bool changed)> rescanned);
    // Requests a scan without a change; thread-safe, needs a watch, does not wait.
    void scan_now();
    // Ends the watch; returns after the last call of `rescanned`.
    void stop_watching() { watch_.reset(); }

    [[nodiscard]] runtime::Runtimes& runtimes() { return runtime_; }
    [[nodiscard]] const runtime::Runtimes& runtimes() const { return runtime_; }
    [[nodiscard]] LoadedConfig configuration() const { return invokers_.configuration(); }
    // Why the profile that was asked for is not in force; empty: it is.
    [[nodiscard]] const std::string& profile_problem() const { return profile_problem_; }

    [[nodiscard]] const std::shared_ptr<spdlog::logger>& events() const { return options_.events; }
    // Returns when other processes can see all events written so far.
    void flush_events();

private:
    Host(HostOptions options, LoadedConfig configuration, discovery::Folders folders,
         const discovery::ScanReport& report);
    // Puts the tools of a scan into the registry, and the rest of it into the report.
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
