// The composition root: options to a host that is ready for calls, with its configuration loaded,
// its plugin folders scanned and its registry filled. Nothing in here is static or prints. The
// commands use it directly; the public toolhost::Host (toolhost/host.hpp) wraps it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/call/invoker.hpp"
#include "host/configuration.hpp"
#include "host/created_tools.hpp"
#include "host/discovery/folder_watch.hpp"
#include "host/discovery/folders.hpp"
#include "host/discovery/scan.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtimes.hpp"

namespace toolhost::core {

struct HostOptions {
    discovery::NamedFolders plugins{};
    ConfigChoice config{};
    // The toolhost binary, which runs probes and workers; empty: the running program.
    std::string program{};
    bool no_cache = false;
    std::chrono::milliseconds probe_timeout{5000};
    bool retry_refused = false;    // scan plugins again that were refused before
    bool forgive_profile = false;  // fall back to the built-in profile if the chosen one is invalid
    std::shared_ptr<spdlog::logger> events{};
    std::vector<call::HostFile> files{};  // that no tool may write, beside those of every host
    // Receives warnings, from any thread; null: they are dropped.
    std::function<void(const std::string& warning)> warn{};
};

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
    [[nodiscard]] call::Invoker& invoker() { return invoker_; }
    // The invoker of another profile by name or file; the empty name is the host's own. From any
    // thread. It lives as long as the host and follows every reload, so callers may keep it. Scans
    // again if tools may write more folders now, for no command of a requirement is run from there.
    [[nodiscard]] Result<call::Invoker*> invoker_of(const std::string& profile);
    // All there are so far, one for each profile.
    [[nodiscard]] std::vector<const call::Invoker*> invokers();
    // Sets values of one tool's policy for this process, over the profile's.
    [[nodiscard]] Result<void> set_policy(const registry::ToolSpec& spec, const Json& values,
                                          const std::string& source);

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
    [[nodiscard]] LoadedConfig configuration() const {
        MutexLock lock(mutex_);
        return configuration_;
    }
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
    void warn(const std::string& text) const {
        if (options_.warn) options_.warn(text);
    }
    void warn_of_report(const discovery::ScanReport& report) const;
    void warn_of_tools();
    // By name or file, and only if it fits the tools there are.
    [[nodiscard]] Result<policy::ProfilePtr> fitting_profile(const LoadedConfig& configuration,
                                                             const std::string& name) const;
    [[nodiscard]] call::Rules rules_under(const LoadedConfig& configuration,
                                          policy::ProfilePtr profile) const REQUIRES(mutex_);
    // Takes the files of a profile into those that no tool may write, whichever its profile. True:
    // there are new ones.
    bool protect(const std::vector<call::HostFile>& files) REQUIRES(mutex_);
    // The rules of every invoker again: what no tool may write has changed.
    void renew_rules() REQUIRES(mutex_);
    // The folders that tools may write under any profile in use.
    [[nodiscard]] std::vector<std::string> writable_folders() REQUIRES(mutex_);

    const HostOptions options_;
    std::string profile_problem_;
    const discovery::Folders folders_;
    const std::string shipped_;  // the folder of shipped plugins; empty: there is none
    mutable Mutex mutex_;
    Mutex rereading_, scanning_;  // taken in this order, and before mutex_
    // Of every profile that was in use, and of the last scan.
    std::vector<call::HostFile> profile_files_ GUARDED_BY(mutex_);
    std::vector<call::HostFile> linked_plugins_ GUARDED_BY(mutex_);
    registry::Registry registry_;
    runtime::Runtimes runtime_;
    call::Invoker invoker_;
    LoadedConfig configuration_ GUARDED_BY(mutex_);
    discovery::ScanReport report_ GUARDED_BY(mutex_);
    std::map<std::string, std::unique_ptr<call::Invoker>> others_ GUARDED_BY(mutex_);  // by profile
    registry::Draft created_ GUARDED_BY(mutex_);   // the tools of create_tool()
    std::optional<discovery::FolderWatch> watch_;  // last: its thread uses everything above
};

}  // namespace toolhost::core
