#include "host/discovery/folders.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem.hpp>
#include <cstdlib>
#include <string_view>

namespace toolhost::discovery {
namespace fs = boost::filesystem;
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

#ifdef _WIN32
constexpr char kPathSeparator = ';';
#else
constexpr char kPathSeparator = ':';
#endif

void append_path_list(std::string_view list, std::vector<std::string>& out) {
    while (!list.empty()) {
        auto end = list.find(kPathSeparator);
        if (end != 0) out.emplace_back(list.substr(0, end));
        if (end == std::string_view::npos) return;
        list.remove_prefix(end + 1);
    }
}

std::vector<std::string> usual_folders(const std::string& program) {
    std::vector<std::string> folders;
    if (auto shipped = shipped_plugins(program); !shipped.empty())
        folders.push_back(std::move(shipped));
    if (auto own = user_folder("XDG_DATA_HOME", ".local/share"); !own.empty())
        folders.push_back(own + "/plugins");
    return folders;
}

}  // namespace

std::string user_folder(const char* variable, const char* fallback) {
    // The XDG specification requires that a relative path is ignored.
    if (auto base = environment(variable); !base.empty() && fs::path(base).is_absolute())
        return base + "/toolhost";
    if (auto home = environment("HOME"); !home.empty()) return home + '/' + fallback + "/toolhost";
    return "";
}

std::string shipped_plugins(const std::string& program) {
    boost::system::error_code fault;
    const fs::path binary = program.empty() ? boost::dll::program_location(fault) : program;
    if (fault) return "";
    // An installed tree first, then a build tree.
    for (const char* relative : {"../lib/toolhost/plugins", "../plugins"}) {
        auto folder = fs::canonical(binary.parent_path() / relative, fault);
        if (!fault) return folder.string();
    }
    return "";
}

bool is_in_folder(const std::string& library, const std::string& folder) {
    boost::system::error_code fault;
    const auto real = fs::canonical(library, fault);
    return !fault && !folder.empty() && real.string().starts_with(folder + '/');
}

bool is_shipped(const std::string& library) {
    static const auto shipped = shipped_plugins();
    return is_in_folder(library, shipped);
}

Folders find_folders(const NamedFolders& named) {
    Folders folders{named.added, environment("TOOLHOST_CACHE")};
    auto base = named.only;
    if (base.empty()) append_path_list(environment("TOOLHOST_PLUGINS"), base);
    if (base.empty()) base = usual_folders(named.program);
    folders.plugins.insert(folders.plugins.end(), base.begin(), base.end());
    if (folders.cache.empty()) folders.cache = user_folder("XDG_CACHE_HOME", ".cache");
    return folders;
}

}  // namespace toolhost::discovery
