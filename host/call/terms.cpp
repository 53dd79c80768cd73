#include "host/call/terms.hpp"

#include <boost/filesystem.hpp>
#include <cstdlib>

#include "host/registry/json_text.hpp"

namespace toolhost::call {
namespace fs = boost::filesystem;

std::string workspace_of(const policy::Profile& profile) {
    auto path = fs::absolute(profile.workspace()).lexically_normal();
    if (path.filename_is_dot()) path = path.parent_path();
    return path.string();
}

runtime::WorkerTerms make_terms(const policy::Profile& profile, const policy::Knobs& knobs,
                                const policy::Granted& granted) {
    runtime::WorkerTerms terms;
    auto& confinement = terms.confinement;
    confinement.sandbox = knobs.sandbox;
    confinement.limits = profile.limits();
    confinement.network = granted.network;
    confinement.exec = granted.exec;
    const auto workspace = workspace_of(profile);
    if (granted.read) confinement.read.push_back(workspace);
    if (granted.write) confinement.write.push_back(workspace);
    for (const auto& path : granted.write_paths)
        confinement.write.push_back(fs::absolute(path, workspace).lexically_normal().string());
    for (const auto& name : profile.environment())
        if (const char* value = std::getenv(name.c_str()))
            confinement.environment.push_back(name + '=' + value);
    terms.workers = profile.workers();
    terms.key = dump(runtime::to_json(confinement)) + std::to_string(terms.workers.idle_seconds);
    return terms;
}

std::string granted_as(const registry::ToolSpec& spec) {
    return spec.hidden() ? "'native:" + spec.family + ".*'" : spec.name;
}

std::vector<std::string> grant_hints(const registry::ToolSpec& spec, const policy::Profile& profile,
                                     const std::vector<std::string>& missing) {
    std::vector<std::string> hints;
    for (const auto& need : missing)
        hints.push_back("needs " + need +
                        (profile.user_grants()
                             ? ": " + policy::grant_advice(granted_as(spec), need)
                             : ", which profile '" + profile.name() + "' alone can grant"));
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
