#include "host/call/tool_confinement.hpp"

#include <boost/filesystem.hpp>
#include <cstdlib>

#include "host/call/denial.hpp"
#include "host/os/path_walk.hpp"
#include "host/policy/protected_paths.hpp"
#include "host/worker/worker_messages.hpp"

namespace toolhost::call {
namespace fs = boost::filesystem;

std::string workspace_of(const policy::Profile& profile) {
    return granted_path(profile.workspace(), fs::current_path().string());
}

std::string granted_path(const std::string& path, const std::string& workspace) {
    auto out = fs::absolute(path, workspace).lexically_normal();
    if (out.filename_is_dot()) out = out.parent_path();  // "a/" became "a/."
    return out.string();
}

namespace {

// In each of the folders. One that is granted by its own name, or holds such a one, is not
// protected.
std::vector<std::string> trusted_in(const std::vector<std::string>& folders,
                                    const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const auto& folder : folders)
        for (const auto& name : names) {
            auto path = (folder == "/" ? "" : folder) + '/' + name;
            if (std::none_of(folders.begin(), folders.end(),
                             [&](const auto& granted) { return os::is_within(granted, path); }))
                out.push_back(std::move(path));
        }
    return out;
}

}  // namespace

std::vector<std::string> protected_of(const policy::Profile& profile,
                                      const std::vector<HostFile>& host_files) {
    auto out = policy::protected_paths(profile.unprotect());
    for (const auto& file : host_files) out.push_back(file.path);
    return out;
}

std::optional<Error> refuse_own_folder(const std::string& tool,
                                       const sandbox::Confinement& confinement,
                                       const std::vector<HostFile>& host_files) {
    for (const auto& folder : confinement.write)
        for (const auto& file : host_files) {
            boost::system::error_code fault;
            const auto real = fs::weakly_canonical(file.path, fault);
            if (!os::is_within(folder, fault ? file.path : real.string())) continue;
            return deny(Denial::protected_path,
                        "tool '" + tool + "' could write to a folder that toolhost itself uses (" +
                            file.called +
                            "); set `workspace` in the profile to a separate folder, or grant "
                            "another folder");
        }
    return std::nullopt;
}

worker::WorkerConfig make_worker_config(const policy::Profile& profile,
                                        const policy::Limits& limits,
                                        const policy::Granted& granted,
                                        const std::vector<HostFile>& host_files) {
    worker::WorkerConfig config;
    auto& confinement = config.confinement;
    confinement.sandbox = limits.sandbox;
    confinement.limits = profile.resource_limits();
    confinement.network = granted.network;
    confinement.exec = granted.exec;
    const auto workspace = workspace_of(profile);
    if (granted.read) confinement.read.push_back(workspace);
    if (granted.write) confinement.write.push_back(workspace);
    for (const auto& path : granted.write_paths)
        confinement.write.push_back(granted_path(path, workspace));
    if (!confinement.write.empty()) {
        for (const auto& file : host_files) {
            confinement.host_files.push_back(file.path);
            if (file.create) confinement.created_files.push_back(file.path);
        }
        confinement.trusted_names = policy::protected_paths(profile.unprotect());
        confinement.trusted_files = trusted_in(confinement.write, confinement.trusted_names);
    }
    for (const auto& name : profile.environment())
        if (const char* value = std::getenv(name.c_str()))
            confinement.environment.push_back(name + '=' + value);
    config.workers = profile.workers();
    config.key =
        worker::pack_confinement(confinement) + std::to_string(config.workers.idle_seconds);
    return config;
}

std::string granted_as(const registry::ToolSpec& spec) {
    return spec.hidden() ? "'native:" + spec.family + ".*'" : spec.name;
}

std::vector<std::string> grant_hints(const registry::ToolSpec& spec, const policy::Profile& profile,
                                     const std::vector<std::string>& missing) {
    std::vector<std::string> hints;
    for (const auto& need : missing)
        hints.push_back("needs the grant " + need +
                        (profile.user_grants()
                             ? ": run " + policy::grant_advice(granted_as(spec), need)
                             : ", which only profile '" + profile.name() + "' can grant"));
    return hints;
}

void add_grant_hints(Error& error, const registry::ToolSpec& spec, const policy::Profile& profile,
                     const policy::Granted& granted) {
    const auto hints = grant_hints(spec, profile, granted.missing_optional);
    if (hints.empty()) return;
    for (const auto& hint : hints) error.message += " (" + hint + ')';
    if (!error.details.is_object()) error.details = Json::object();
    error.details["hints"] = hints;
}

}  // namespace toolhost::call
