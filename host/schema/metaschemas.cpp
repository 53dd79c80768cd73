#include "host/schema/metaschemas.hpp"

#include <map>
#include <string>

#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

std::map<std::string, nlohmann::json, std::less<>> parse_all() {
    std::map<std::string, nlohmann::json, std::less<>> documents;
    for (const auto& file : metaschema_files()) {
        auto document = nlohmann::json::parse(file.content);
        const auto id = document.at("$id").get<std::string>();
        documents.emplace(split_fragment(id).uri, std::move(document));
    }
    return documents;
}

}  // namespace

const nlohmann::json* find_metaschema(std::string_view uri) {
    static const auto documents = parse_all();  // parsed at first use, which is rare
    const auto found = documents.find(uri);
    return found == documents.end() ? nullptr : &found->second;
}

}  // namespace toolhost::schema
