// Builds tools and profiles from one line of text, for the tests of this room.
#pragma once

#include <string>

#include "host/policy/profile.hpp"
#include "host/registry/tool_spec.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::test {

inline registry::ToolSpec spec(const std::string& name, const Json& extra = Json::object(),
                               const std::string& family = "lib") {
    Json json{{"name", name}, {"description", "d"}, {"inputSchema", Json::object()}};
    json.update(extra);
    return registry::read_spec(json, family)->at(0);
}

// A profile that extends nothing, or only shipped profiles. Its file is p.yml.
inline policy::ProfilePtr profile(const std::string& yaml) {
    TempFolder folder;
    folder.write("p.yml", yaml);
    auto loaded = policy::load_profile("p", folder.path());
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return *loaded;
}

// Why such a profile is refused, without its file's folder; empty if it is accepted.
inline std::string refusal(const std::string& yaml) {
    TempFolder folder;
    folder.write("p.yml", yaml);
    auto loaded = policy::load_profile("p", folder.path());
    if (loaded) return "";
    auto message = loaded.error().message;
    for (auto at = message.find(folder.path() + '/'); at != std::string::npos;
         at = message.find(folder.path() + '/'))
        message.erase(at, folder.path().size() + 1);
    return message;
}

}  // namespace toolhost::test
