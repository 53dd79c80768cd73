// The invokers of a host: one for each profile in use, and the rules that they follow.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/call/invoker.hpp"
#include "host/host_options.hpp"
#include "host/registry/registry.hpp"
#include "host/runtime/runtimes.hpp"

namespace toolhost::core {

// From any thread. Every part must outlive it.
class ProfileInvokers {
public:
    struct Parts {
        const HostOptions& options;
        const discovery::Folders& folders;
        const registry::Registry& registry;
        runtime::Runtimes& runtime;
    };
    // `links` as for protect_links().
    ProfileInvokers(const Parts& parts, LoadedConfig configuration,
                    std::vector<call::HostFile> links);
    ProfileInvokers(const ProfileInvokers&) = delete;
    ProfileInvokers& operator=(const ProfileInvokers&) = delete;

    // The one of the host's own profile.
    [[nodiscard]] call::Invoker& own() { return own_; }
    struct Found {
        call::Invoker* invoker;
        bool writes_more;  // tools may write folders now that they could not write before
    };
    // By name or file of the profile; the empty name is the host's own. It lives as long as this.
    [[nodiscard]] Result<Found> find(const std::string& profile);
    // All there are so far.
    [[nodiscard]] std::vector<call::Invoker*> all();

    [[nodiscard]] LoadedConfig configuration() const {
        MutexLock lock(mutex_);
        return configuration_;
    }
    // The folders that tools may write under any profile in use.
    [[nodiscard]] std::vector<std::string> writable_folders() const;

    // Sets values of one tool's policy for this process, over the host's own profile.
    [[nodiscard]] Result<void> set_policy(const registry::ToolSpec& spec, const Json& values,
                                          const std::string& source);
    // The plugins that are links and where these lead: no tool may write them. With `and_known`
    // also those of before.
    void protect_links(std::vector<call::HostFile> files, bool and_known);

    struct Reread {
        bool allows_others = false;  // other tools may be called now
        bool writes_more = false;    // tools may write other folders now
    };
    // Reads the config file and every profile in use again. For an unusable one, warns and keeps
    // the old one. One call at a time.
    [[nodiscard]] Reread reread();

private:
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
    [[nodiscard]] std::vector<std::string> all_writable() const REQUIRES(mutex_);
    void warn_of_unusable(const std::string& what, const Error& error) const;

    const Parts parts_;
    const std::string shipped_;  // the folder of shipped plugins; empty: there is none
    mutable Mutex mutex_;
    // Of every profile that was in use, and of the last scan.
    std::vector<call::HostFile> profile_files_ GUARDED_BY(mutex_);
    std::vector<call::HostFile> linked_plugins_ GUARDED_BY(mutex_);
    call::Invoker own_;
    LoadedConfig configuration_ GUARDED_BY(mutex_);
    std::map<std::string, std::unique_ptr<call::Invoker>> others_ GUARDED_BY(mutex_);  // by profile
};

}  // namespace toolhost::core
