#include "host/policy/config.hpp"

#include <boost/filesystem.hpp>
#include <iterator>

#include "host/base/environment.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/grants_file.hpp"
#include "host/policy/profile_files.hpp"
#include "host/registry/reference.hpp"

namespace toolhost::policy {
namespace fs = boost::filesystem;
namespace {

std::vector<Fault> check_references(const YamlDocument& document,
                                    const std::vector<std::string>& references) {
    std::vector<Fault> faults;
    for (std::size_t i = 0; i < references.size(); ++i) {
        const auto pointer = "/allow/" + std::to_string(i);
        if (auto parsed = registry::Reference::parse(references[i]); !parsed)
            faults.push_back({document.place(pointer), parsed.error().message, pointer});
    }
    return faults;
}

Result<Config> read_config(const std::string& path, bool must_exist) {
    Config config;
    config.file = path;
    boost::system::error_code ignored;
    if (!must_exist && (path.empty() || fs::status(path, ignored).type() == fs::file_not_found))
        return config;
    auto text = read_text_file(path);
    if (!text) return text.error();
    auto document = parse_yaml(*text, path);
    if (!document) return to_error({document.error()});
    if (document->value.is_null()) return config;  // everything is commented out
    auto faults = check_yaml(*document, embedded_schema("config.schema.json"));
    if (!faults.empty()) return to_error(faults);

    const auto& value = document->value;
    config.allow = value.value("allow", std::vector<std::string>{});
    faults = check_references(*document, config.allow);
    for (auto& fault : check_grants(*document)) faults.push_back(std::move(fault));
    if (!faults.empty()) return to_error(faults);
    config.grants =
        read_grants(value, [&](const std::string& pointer) { return document->place(pointer); });
    config.profile = value.value("profile", "");
    if (is_file_name(config.profile)) config.profile = beside(path, config.profile);
    return config;
}

}  // namespace

Result<Config> load_config(const std::string& path, bool must_exist) {
    auto config = read_config(path, must_exist);
    if (!config || path.empty()) return config;
    auto given = load_grants(grants_file(path));
    if (!given) return given.error();
    config->grants.insert(config->grants.end(), std::make_move_iterator(given->begin()),
                          std::make_move_iterator(given->end()));
    return config;
}

std::string default_config_file() {
    const auto folder = user_folder("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? "" : folder + "/config.yml";
}

std::string profiles_folder(const std::string& config_file) {
    if (config_file.empty()) return "";
    return (fs::path(config_file).parent_path() / "profiles").string();
}

}  // namespace toolhost::policy
