// Finds profiles and resolves their `extends` chain.
#include "host/policy/profile_files.hpp"

#include <algorithm>
#include <boost/filesystem.hpp>
#include <set>
#include <stdexcept>

#include "host/base/suggest.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/embedded.hpp"
#include "host/policy/profile.hpp"

namespace toolhost::policy {
namespace fs = boost::filesystem;
namespace {

constexpr std::string_view kShipped = "shipped:";
constexpr std::string_view kEndings[] = {".yml", ".yaml"};

bool is_shipped(const Layer& layer) {
    return layer.document.file.starts_with(kShipped);
}

Error refusal(const Place& place, std::string sentence) {
    return to_error({{place, std::move(sentence), place.line > 0 ? "/extends" : ""}});
}

// The user's file of that name, or empty.
std::string file_in(const std::string& folder, const std::string& name) {
    if (folder.empty()) return "";
    for (auto ending : kEndings) {
        const auto file = (fs::path(folder) / (name + std::string(ending))).string();
        boost::system::error_code ignored;
        // An unreadable file is an error: the shipped profile must not replace it silently.
        if (fs::status(file, ignored).type() != fs::file_not_found) return file;
    }
    return "";
}

const EmbeddedFile* shipped(const std::string& name) {
    return find_file(embedded_profiles(), name + ".yml");
}

std::set<std::string> names_in(const std::string& folder) {
    std::set<std::string> names;
    boost::system::error_code fault;
    if (folder.empty()) return names;
    for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
        const auto& path = it->path();
        const auto ending = path.extension().string();
        if (std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings))
            names.insert(path.stem().string());
    }
    return names;
}

std::vector<std::string> all_names(const std::string& folder) {
    auto names = names_in(folder);
    for (const auto& file : embedded_profiles())
        names.insert(fs::path(std::string(file.name)).stem().string());
    return {names.begin(), names.end()};
}

std::string unknown(const std::string& name, const std::string& folder) {
    const auto names = all_names(folder);
    return "unknown profile " + in_quotes(name) + did_you_mean(name, names) +
           " (known: " + joined(names) + "; searched in " +
           (folder.empty() ? "" : folder + " and ") + "the shipped profiles)";
}

Result<LayerPtr> read_file(const std::string& file) {
    auto text = read_text_file(file);
    if (!text) return text.error();
    return read_layer(*text, file, fs::path(file).stem().string());
}

LayerPtr read_shipped(const EmbeddedFile& file) {
    return read_shipped_layer(file.content, std::string(kShipped) + std::string(file.name),
                              fs::path(std::string(file.name)).stem().string());
}

Result<LayerPtr> read_named(const std::string& name, const std::string& folder) {
    if (auto file = file_in(folder, name); !file.empty()) {
        auto layer = read_file(file);
        // Otherwise messages would use a name that finds no profile.
        if (layer && (*layer)->name != name)
            return to_error({{(*layer)->document.place("/name"),
                              "the file name requires the profile name '" + name +
                                  "', but /name is '" + (*layer)->name + "'",
                              "/name"}});
        return layer;
    }
    if (const auto* file = shipped(name)) return read_shipped(*file);
    return Error{ErrorCode::invalid_input, unknown(name, folder), {}};
}

// Resolves `extends`. Shipped profiles extend only shipped ones, and so does one that extends its
// own name.
Result<LayerPtr> read_parent(const Layer& child, const std::string& parent,
                             const std::string& folder) {
    if (is_file_name(parent)) return read_file(beside(child.document.file, parent));
    const bool only_shipped = is_shipped(child) || parent == child.name;
    return read_named(parent, only_shipped ? "" : folder);
}

std::string identity(const Layer& layer) {
    boost::system::error_code fault;
    auto path = fs::canonical(layer.document.file, fault);
    return fault ? layer.document.file : path.string();
}

Result<ProfilePtr> with_parents(LayerPtr layer, const std::string& folder) {
    std::vector<LayerPtr> chain{std::move(layer)};
    std::set<std::string> seen{identity(*chain[0])};
    std::string path = chain[0]->name;
    for (;;) {
        const auto& child = *chain.back();
        auto extends = child.document.value.find("extends");
        if (extends == child.document.value.end()) break;
        const auto place = child.document.place("/extends");
        const auto name = extends->get<std::string>();
        auto parent = read_parent(child, name, folder);
        if (!parent) {
            const auto error = parent.error();
            // An error in the parent's own text already has its position there.
            const bool placed = error.details.is_object() && error.details.contains("line");
            if (placed) return error;
            auto refused = refusal(place, "extends: " + error.message);
            refused.code = error.code;
            return refused;
        }
        path += " -> " + (*parent)->name;
        if (!seen.insert(identity(**parent)).second)
            return refusal(place, "extends: " + in_quotes(name) + " is a cycle: " + path);
        chain.push_back(std::move(*parent));
    }
    std::reverse(chain.begin(), chain.end());
    return ProfilePtr(std::make_shared<Profile>(std::move(chain)));
}

}  // namespace

bool is_file_name(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.ends_with(kEndings[0]) ||
           text.ends_with(kEndings[1]);
}

std::string beside(const std::string& file, const std::string& name) {
    const fs::path path(name);
    return path.is_absolute() ? name : (fs::path(file).parent_path() / path).string();
}

ProfilePtr built_in_profile() {
    static const ProfilePtr profile = [] {
        auto loaded = load_profile("default", "");
        if (!loaded) throw std::logic_error(loaded.error().message);
        return *loaded;
    }();
    return profile;
}

Result<ProfilePtr> load_profile(const std::string& name_or_file, const std::string& folder) {
    auto layer =
        is_file_name(name_or_file) ? read_file(name_or_file) : read_named(name_or_file, folder);
    if (!layer) return layer.error();
    return with_parents(std::move(*layer), folder);
}

std::vector<KnownProfile> known_profiles(const std::string& folder) {
    std::vector<KnownProfile> out;
    for (const auto& name : all_names(folder)) {
        KnownProfile known;
        known.name = name;
        known.file = file_in(folder, name);
        known.shipped = known.file.empty();
        if (known.shipped) known.file = std::string(kShipped) + name + ".yml";
        if (auto profile = load_profile(name, folder))
            known.description = (*profile)->merged().value("description", "");
        else
            known.problem = profile.error().message;
        out.push_back(std::move(known));
    }
    return out;
}

}  // namespace toolhost::policy
