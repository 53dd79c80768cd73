// Folders, a config file and a profile for one embedded host.
#pragma once

#include <boost/filesystem.hpp>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"
#include "toolhost/host.hpp"

namespace toolhost::test {

struct Home {
    Home() {
        ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
        for (const char* name : {"plugins", "profiles", "workspace"})
            boost::filesystem::create_directory(folder / name);
        folder.write("config.yml", "profile: own\n");
        profile("");
    }
    void profile(const std::string& more) const {
        folder.write("profiles/own.yml", "name: own\nextends: default\nworkspace: " +
                                             (folder / "workspace") + '\n' + more);
    }
    void add(const char* fixture) const { folder.take(fixture, std::string("plugins/") + fixture); }
    [[nodiscard]] HostOptions options() {
        HostOptions out;
        out.only_plugins = {folder / "plugins"};
        out.config = folder / "config.yml";
        out.program = TOOLHOST_BINARY;
        out.events = folder / "events";
        out.probe_timeout = std::chrono::minutes(1);
        out.warn = [this](const std::string& text) {
            const std::lock_guard lock(mutex);
            warnings.push_back(text);
        };
        return out;
    }
    [[nodiscard]] Host open() {
        auto host = Host::open(options());
        REQUIRE(host);
        return *std::move(host);
    }
    // Complete after shutdown.
    [[nodiscard]] std::string events() const {
        std::stringstream text;
        text << std::ifstream(folder / "events").rdbuf();
        return text.str();
    }

    TempFolder folder;
    std::mutex mutex;
    std::vector<std::string> warnings;
};

// The spec of a tool that takes an object with the string "word".
inline nlohmann::ordered_json spec_of(const std::string& name,
                                      const nlohmann::ordered_json& more = {}) {
    nlohmann::ordered_json spec{
        {"name", name},
        {"description", "Repeats a word."},
        {"inputSchema",
         {{"type", "object"},
          {"properties",
           {{"word", {{"type", "string"}}},
            {"times", {{"type", "integer"}, {"default", 1}, {"maximum", 9}}}}},
          {"required", {"word"}}}}};
    if (!more.is_null()) spec.update(more);
    return spec;
}

inline std::string code_of(const CallResult& result) {
    return result.ok() ? "success" : result.document.at("error").at("code").get<std::string>();
}

inline std::string text_of(const CallResult& result) {
    return result.document.at("content").at(0).value("text", "");
}

inline ToolReply repeat(const ToolInput& input, ToolCall&) {
    std::string text;
    for (int i = 0; i < input.input.at("times"); ++i)
        text += input.input.at("word").get<std::string>();
    return ToolReply::text(text);
}

}  // namespace toolhost::test
