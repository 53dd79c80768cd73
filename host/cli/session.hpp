// Options to a host that is ready to answer: the profile read, the scan done, the registry filled.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "host/base/mutex.hpp"
#include "host/call/invoker.hpp"
#include "host/cli/app.hpp"
#include "host/discovery/folders.hpp"
#include "host/discovery/scan.hpp"
#include "host/policy/config.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtimes.hpp"

namespace toolhost::cli {

struct SessionOptions {
    bool retry_refused = false;    // look again at plugins that were refused before
    bool forgive_profile = false;  // use the default if the profile is invalid
    std::shared_ptr<spdlog::logger> events;
    std::vector<call::HostFile> files{};  // that this command uses beside those of every command
};

// Thrown where a config file or a profile cannot be used: nothing may run under another one.
struct SessionFault {
    Error error;
};

// Config file and profile, as options, environment and files say.
struct LoadedConfig {
    policy::Config config;
    policy::ProfilePtr profile;
    std::vector<std::string> widened;
    std::string profile_name{};  // or its file
};
[[nodiscard]] Result<LoadedConfig> load_configuration(const Options& options);

class Session {
public:
    explicit Session(const Options& options, const SessionOptions& wanted = {});
    ~Session();  // says at debug level how many libraries were loaded
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] const discovery::Folders& folders() const { return folders_; }
    [[nodiscard]] worker::Quarantine quarantine() const {
        return worker::Quarantine(folders_.quarantine());
    }
    [[nodiscard]] const discovery::ScanReport& report() const { return report_; }
    [[nodiscard]] registry::Snapshot catalogue() const { return registry_.snapshot(); }
    [[nodiscard]] call::Invoker& invoker() { return invoker_; }
    // Sets values of one tool's policy for this process, over the profile's.
    [[nodiscard]] Result<void> set_policy(const registry::ToolSpec& spec, const Json& values,
                                          const std::string& source);
    // The invoker of another profile by name or file; the empty name is the session's own. From any
    // thread; it lives as long as this.
    [[nodiscard]] Result<call::Invoker*> invoker_of(const std::string& profile);
    // All there are so far, one a profile.
    [[nodiscard]] std::vector<const call::Invoker*> invokers();
    // Looks at the folders again, from any thread. True: there are other tools than before.
    bool rescan();
    // Reads the config file and every profile in use again. What cannot be used is warned of, and
    // what was in force in its place stays, and nothing else. True: other tools may be called now.
    bool reread_rules();
    [[nodiscard]] runtime::Runtimes& runtimes() { return runtime_; }
    [[nodiscard]] const runtime::Runtimes& runtimes() const { return runtime_; }
    // Not beside reread_rules().
    [[nodiscard]] const LoadedConfig& configuration() const { return configuration_; }
    // Why the profile that was asked for is not in force; empty: it is.
    [[nodiscard]] const std::string& profile_problem() const { return profile_problem_; }

    [[nodiscard]] const std::shared_ptr<spdlog::logger>& events() const { return events_; }
    // Events that were written so far are there for others to see.
    void flush_events();
    // An orderly exit would destroy what an abandoned plugin call still uses.
    void end_if_overdue(Exit code);

private:
    [[nodiscard]] LoadedConfig govern(const Options& options, bool forgive);
    // By name or file, and such that it fits the tools there are.
    [[nodiscard]] Result<policy::ProfilePtr> fitting_profile(const LoadedConfig& configuration,
                                                             const std::string& name) const;
    void report_problems() const;
    [[nodiscard]] call::Rules rules_under(const LoadedConfig& configuration,
                                          policy::ProfilePtr profile) const;

    const Options options_;
    std::string profile_problem_;
    LoadedConfig configuration_;
    discovery::Folders folders_;
    discovery::ScanReport report_;
    registry::Registry registry_;
    runtime::Runtimes runtime_;
    std::shared_ptr<spdlog::logger> events_;
    const std::vector<call::HostFile> files_;
    call::Invoker invoker_;
    Mutex mutex_, scanning_;
    std::map<std::string, std::unique_ptr<call::Invoker>> others_ GUARDED_BY(mutex_);  // by profile
};

// An error on stderr, and the exit code that goes with it.
Exit print_error(const Error& error);

}  // namespace toolhost::cli
