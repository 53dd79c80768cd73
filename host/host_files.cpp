#include "host/host_files.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem.hpp>

#include "host/base/environment.hpp"
#include "host/call/tool_confinement.hpp"
#include "host/os/path_walk.hpp"
#include "host/os/temp_folder.hpp"
#include "host/policy/grants_file.hpp"

namespace toolhost {
namespace {

namespace fs = boost::filesystem;

constexpr const char* kPlugins = "its plugins";

call::HostFile host_folder(const std::string& path, std::string called) {
    auto folder = host_file(path, std::move(called));
    if (!folder.path.ends_with('/')) folder.path += '/';
    return folder;
}

}  // namespace

call::HostFile host_file(const std::string& path, std::string called) {
    return {fs::absolute(path).lexically_normal().string(), std::move(called)};
}

std::vector<call::HostFile> host_files(const policy::Config& config,
                                       const discovery::Folders& folders,
                                       const std::string& program) {
    std::vector<call::HostFile> out;
    const auto add_folder = [&](const std::string& path, const char* called) {
        if (!path.empty()) out.push_back(host_folder(path, called));
    };
    add_folder(user_folder("XDG_CONFIG_HOME", ".config"), "its configuration");
    add_folder(user_folder("XDG_DATA_HOME", ".local/share"), kPlugins);
    add_folder(user_folder("XDG_CACHE_HOME", ".cache"), "its cache");
    add_folder(folders.cache, "its cache");
    add_folder(discovery::shipped_plugins(program), kPlugins);
    for (const auto& folder : folders.plugins) add_folder(folder, kPlugins);
    if (!config.file.empty() && config.file != policy::default_config_file()) {
        out.push_back(host_file(config.file, "its configuration"));
        out.push_back(host_file(policy::grants_file(config.file), "its configuration"));
        out.back().create = true;  // it is read whenever it exists
        add_folder(policy::profiles_folder(config.file), "its profiles");
    }
    for (const auto& folder : os::private_folders()) add_folder(folder, "its temporary files");
    out.push_back(host_file(program, "its program"));
    boost::system::error_code fault;
    if (const auto running = boost::dll::program_location(fault); !fault && running != program)
        out.push_back(host_file(running.string(), "its program"));
    return out;
}

std::vector<call::HostFile> profile_files(const policy::Profile& profile) {
    std::vector<call::HostFile> out;
    for (const auto& layer : profile.layers()) {
        const auto& file = layer->document.file;
        if (!file.empty() && !file.starts_with("shipped:") && !file.starts_with("--"))
            out.push_back(host_file(file, "its profiles"));
    }
    return out;
}

std::vector<call::HostFile> linked_plugins(const discovery::ScanReport& report) {
    std::vector<call::HostFile> out;
    boost::system::error_code fault;
    for (const auto& finding : report.findings) {
        const fs::path library(finding.candidate.path);
        const bool is_folder = finding.candidate.own_folder;
        // The scan resolves links in the path of a plugin folder.
        const auto entry = is_folder ? library.parent_path() : library;
        if (!fs::is_symlink(entry, fault)) continue;
        const auto walk = os::walk_path(entry.string());
        // The sandbox protects each link on the way to this entry.
        out.push_back(is_folder ? host_folder(entry.string(), kPlugins)
                                : host_file(entry.string(), kPlugins));
        // A missing target would become a plugin as soon as a tool created it.
        const auto& end = walk.exists ? walk.entries.back() : walk.missing;
        if (!end.empty())
            out.push_back(is_folder ? host_folder(end, kPlugins) : host_file(end, kPlugins));
    }
    return out;
}

std::vector<std::string> writable_folders(const policy::Profile& profile,
                                          const std::vector<policy::Grant>& users) {
    const auto workspace = call::workspace_of(profile);
    std::vector<std::string> folders{workspace};
    for (const auto* grants : {&profile.grants(), &users})
        for (const auto& grant : *grants)
            if (!grant.word.path.empty())
                folders.push_back(call::granted_path(grant.word.path, workspace));
    return folders;
}

}  // namespace toolhost
