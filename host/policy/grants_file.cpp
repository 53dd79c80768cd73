#include "host/policy/grants_file.hpp"

#include <boost/filesystem/path.hpp>
#include <cerrno>
#include <map>

#include "host/base/json_text.hpp"
#include "host/os/descriptor.hpp"
#include "host/policy/checked_yaml.hpp"

namespace toolhost::policy {
namespace {

namespace fs = boost::filesystem;

constexpr std::string_view kHeader =
    "# Written by toolhost, which replaces the whole file: change it with 'toolhost grant'.\n"
    "# Grants written by hand belong in the config file.\n";

std::string read_error(int code) {
    if (code == ELOOP) return "it must be a file, not a link";
    if (code == EPERM)
        return "it must be a regular file that belongs to you or root and that others cannot write";
    return os::system_message(code);
}

}  // namespace

std::string grants_file(const std::string& config_file) {
    if (config_file.empty()) return "";
    const fs::path config(config_file);
    const auto stem = config.stem().string();
    return (config.parent_path() / (stem == "config" ? "grants.yml" : stem + ".grants.yml"))
        .string();
}

Result<std::vector<Grant>> load_grants(const std::string& file) {
    std::string text;
    if (!os::read_own_file(file, kMaxYamlBytes, text)) {
        if (errno == ENOENT || errno == ENOTDIR) return std::vector<Grant>{};
        return unreadable(file, read_error(errno));
    }
    return parse_grants(text, file);
}

Result<std::vector<Grant>> parse_grants(std::string_view text, const std::string& file) {
    auto document = parse_yaml(text, file);
    if (!document) return to_error({document.error()});
    if (document->value.is_null()) return std::vector<Grant>{};
    auto faults = check_yaml(*document, embedded_schema("grants.schema.json"));
    if (faults.empty()) faults = check_grants(*document);
    if (!faults.empty()) return to_error(faults);
    return read_grants(document->value,
                       [&](const std::string& pointer) { return document->place(pointer); });
}

// Quoted as JSON, which is valid YAML for any text.
std::string grants_text(const std::vector<Grant>& grants) {
    std::map<std::string, std::string> lists;
    for (const auto& grant : grants) {
        auto& list = lists[grant.key.text];
        list += (list.empty() ? "" : ", ") + dump(grant.word.text());
    }
    std::string out(kHeader);
    if (!lists.empty()) out += "grants:\n";
    for (const auto& [key, list] : lists) out += "  " + dump(key) + ": [" + list + "]\n";
    return out;
}

}  // namespace toolhost::policy
