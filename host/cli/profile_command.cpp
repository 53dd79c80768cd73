#include <algorithm>
#include <boost/filesystem/path.hpp>
#include <iostream>
#include <map>
#include <memory>

#include "host/base/json_text.hpp"
#include "host/cli/grant_table.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/policy/config.hpp"
#include "host/policy/profile.hpp"

namespace toolhost::cli {
namespace {

using policy::KnownProfile;
using policy::Profile;

constexpr std::string_view kBuiltIn = "built in";

std::string origin_of(const Profile& profile, const std::string& pointer) {
    auto origin = profile.origin(pointer);
    return origin.empty() ? std::string(kBuiltIn) : origin;
}

// The leaves in reading order: allowed tools first, list entries by their index.
void collect_leaves(const Json& value, const std::string& pointer, std::vector<std::string>& out) {
    if (!value.is_structured() || value.empty()) {
        out.push_back(pointer);
        return;
    }
    std::size_t index = 0;
    for (const auto& [key, member] : value.items())
        collect_leaves(member,
                       pointer + (value.is_object() ? policy::pointer_step(key)
                                                    : '/' + std::to_string(index++)),
                       out);
}

std::vector<std::string> leaves(const Json& document) {
    std::vector<std::string> out;
    for (const auto& key : policy::profile_keys())
        if (document.contains(key)) collect_leaves(document[key], '/' + key, out);
    return out;
}

// Rows show only the file's name, because its path is printed above. Files with equal names are
// shown with their path.
class Files {
public:
    explicit Files(const Profile& profile) {
        for (const auto& layer : profile.layers()) ++count_[name_of(layer->document.file)];
    }
    [[nodiscard]] std::string short_origin(const policy::Place& place) const {
        auto shown = place;
        if (auto name = name_of(place.file); count_.contains(name) && count_.at(name) == 1)
            shown.file = name;
        return shown.file.empty() ? std::string(kBuiltIn) : shown.text();
    }

private:
    static std::string name_of(const std::string& file) {
        return boost::filesystem::path(file).filename().string();
    }
    std::map<std::string, int> count_;
};

void print_heading(const Profile& profile) {
    std::cout << styled(Style::bold, printable(profile.name())) << '\n';
    const auto description = profile.merged().value("description", "");
    if (!description.empty()) std::cout << wrapped(printable(description), 0, width()) << '\n';
    std::cout << '\n';
    const auto& layers = profile.layers();
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        std::cout << padded(layer == layers.rbegin() ? "from" : "extends", 9)
                  << printable((*layer)->document.file) << '\n';
    std::cout << '\n';
}

void print_profile(const Profile& profile) {
    struct Setting {
        std::string pointer, value, origin;
    };
    const Files files(profile);
    std::vector<Setting> rows;
    std::size_t pointers = 0, origins = 0;
    for (const auto& pointer : leaves(profile.merged())) {
        const auto& value = profile.merged().at(Json::json_pointer(pointer));
        const auto& origin = profile.document().origins().at(pointer);
        rows.push_back({printable(pointer),
                        printable(value.is_string() ? value.get<std::string>() : dump(value)),
                        printable(files.short_origin(origin.place()))});
        pointers = std::max(pointers, columns_of(rows.back().pointer));
        origins = std::max(origins, columns_of(rows.back().origin));
    }
    const std::size_t indent = pointers + 2;
    const auto left = width() > indent + origins + 2 ? width() - indent - origins - 2 : 0;
    std::size_t values = 0;
    for (const auto& row : rows)
        if (columns_of(row.value) <= left) values = std::max(values, columns_of(row.value));
    print_heading(profile);
    for (const auto& row : rows) {
        std::cout << padded(row.pointer, pointers) << "  ";
        // A rule is always shown completely; if it is too long for its column, its origin is on the
        // next line.
        if (columns_of(row.value) <= left)
            std::cout << padded(row.value, values) << "  ";
        else
            std::cout << wrapped(row.value, indent, width()) << '\n' << std::string(indent, ' ');
        std::cout << styled(Style::dim, row.origin) << '\n';
    }
}

Json to_json(const Profile& profile) {
    Json origins = Json::object();
    for (const auto& [pointer, ignored] : profile.document().origins())
        origins[pointer] = origin_of(profile, pointer);
    Json files = Json::array();
    for (const auto& layer : profile.layers()) files.push_back(layer->document.file);
    return {{"name", profile.name()},
            {"files", files},
            {"profile", profile.merged()},
            {"origins", origins}};
}

Exit show(Options options, const std::string& name) {
    if (!name.empty()) options.profile = name;
    auto configuration = load_configuration(config_choice(options));
    if (!configuration) return print_error(configuration.error());
    const auto& profile = *configuration->profile;
    GrantTable users;
    users.add(configuration->config.grants, profile.user_grants());
    if (options.json) {
        auto out = to_json(profile);
        out["grants"] = users.json();
        print_json(out);
        return Exit::ok;
    }
    print_profile(profile);
    if (!users.empty()) {
        std::cout << "\nGrants of the user:\n";
        users.print(profile.name());
    }
    return Exit::ok;
}

void print_known(const std::vector<KnownProfile>& known, const std::string& in_force) {
    std::size_t names = 0;
    for (const auto& one : known) names = std::max(names, columns_of(one.name));
    const std::size_t indent = 2 + names + 2;
    for (const auto& one : known) {
        std::cout << (one.file == in_force ? "* " : "  ")
                  << styled(Style::bold, padded(printable(one.name), names)) << "  ";
        if (!one.description.empty())
            std::cout << wrapped(printable(one.description), indent, width()) << '\n'
                      << std::string(indent, ' ');
        std::cout << styled(Style::dim, printable(one.file)) << '\n';
        if (!one.problem.empty())
            std::cout << std::string(indent, ' ')
                      << styled(Style::red, wrapped(printable(one.problem), indent, width()))
                      << '\n';
    }
}

Json to_json(const std::vector<KnownProfile>& known, const std::string& in_force) {
    Json out = Json::array();
    for (const auto& one : known) {
        out.push_back({{"name", one.name},
                       {"description", one.description},
                       {"file", one.file},
                       {"shipped", one.shipped},
                       {"inForce", one.file == in_force}});
        if (!one.problem.empty()) out.back()["problem"] = one.problem;
    }
    return out;
}

// Works without a usable profile, because the list helps to find one.
Exit list(const Options& options, bool only_names) {
    const auto config = options.config.empty() ? policy::default_config_file() : options.config;
    const auto known = policy::known_profiles(policy::profiles_folder(config));
    if (only_names) {
        for (const auto& one : known) std::cout << one.name << '\n';
        return Exit::ok;
    }
    const auto configuration = load_configuration(config_choice(options));
    const auto in_force = configuration ? configuration->profile->file() : "";
    if (options.json)
        print_json(to_json(known, in_force));
    else
        print_known(known, in_force);
    return configuration ? Exit::ok : print_error(configuration.error());
}

}  // namespace

Action setup_profile(CLI::App& app, const Options& options) {
    app.require_subcommand(1);
    auto* listing = app.add_subcommand("list", "List the profiles; * marks the active one");
    auto only_names = std::make_shared<bool>(false);
    listing->add_flag("--names", *only_names, "Print only names, one per line");
    auto* showing =
        app.add_subcommand("show", "Show a profile after merging, with the origin of each value");
    auto name = std::make_shared<std::string>();
    showing->add_option("PROFILE", *name, "A profile's name or file (default: the active one)")
        ->type_name("PROFILE");
    return [=, &options] {
        return showing->parsed() ? show(options, *name) : list(options, *only_names);
    };
}

}  // namespace toolhost::cli
