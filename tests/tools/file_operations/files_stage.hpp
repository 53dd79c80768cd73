// A workspace, a profile, and calls of the file tools through one host, in both isolations.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/integration/harness.hpp"

namespace toolhost::test {

inline constexpr const char* kIsolations[] = {"process", "in_process"};

// The specs of the shipped libraries, probed once for all stages.
inline Options with_cache(Options options) {
    static const TempDir cache;
    options.env["TOOLHOST_CACHE"] = cache.path().string();
    return options;
}

class FilesStage {
public:
    explicit FilesStage(std::string isolation = "process") : isolation_(std::move(isolation)) {
        fs::create_directories(workspace());
    }

    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    void file(const std::string& path, std::string_view content = "x\n") const {
        fs::create_directories((workspace() / path).parent_path());
        write_file(workspace() / path, content);
    }

    // The stage's profile with additional lines.
    [[nodiscard]] fs::path write_profile(const std::string& profile = "") const {
        const fs::path file = stage_.root() / "profile.yml";
        write_file(file, "name: test\nextends: default\nworkspace: " + workspace().string() +
                             "\ndefaults: { isolation: " + isolation_ + ", sandbox: " +
                             (isolation_ == "process" ? "required" : "off") + " }\n" +
                             (contains(profile, "consent:") ? "" : "consent: bypass\n") + profile);
        return file;
    }

    // Each request is {tool, input}; `profile` is added to the profile's text.
    [[nodiscard]] Run run(const std::vector<Json>& requests, const std::string& profile = "",
                          const std::vector<std::string>& options = {}) const {
        const fs::path file = write_profile(profile);
        std::string lines;
        for (const auto& request : requests) lines += request.dump() + '\n';
        std::vector<std::string> args{"call",           "--batch",       "-",
                                      "--sequential",   "--profile",     file.string(),
                                      "--only-plugins", TOOLHOST_SHIPPED};
        args.insert(args.end(), options.begin(), options.end());
        return stage_.run(args, with_cache({.input = lines, .name_plugins = false}));
    }
    [[nodiscard]] std::vector<Json> call(const std::vector<Json>& requests,
                                         const std::string& profile = "") const {
        const Run run = this->run(requests, profile);
        CAPTURE(run);
        std::vector<Json> results;
        for (const auto& line : lines_of(run.out)) results.push_back(Json::parse(line));
        REQUIRE(results.size() == requests.size());
        return results;
    }
    [[nodiscard]] Json one(const std::string& tool, Json input,
                           const std::string& profile = "") const {
        return call({{{"tool", tool}, {"input", std::move(input)}}}, profile).front();
    }

private:
    std::string isolation_;
    Stage stage_;
};

// The result as one word: "ok", the reason of a denial, or the error's code.
inline std::string said(const Json& result) {
    if (result.value("status", "") == "success") return "ok";
    const Json& error = result.at("error");
    if (error.at("code") != "policy_denied") return error.at("code").get<std::string>();
    return error.at("details").at("reason").get<std::string>();
}
inline std::string message(const Json& result) {
    return result.contains("error") ? result.at("error").at("message").get<std::string>() : "";
}
// All text blocks.
inline std::string text(const Json& result) {
    std::string out;
    for (const auto& block : result.at("content")) out += block.value("text", "");
    return out;
}
inline Json facts(const Json& result) {
    for (const auto& block : result.at("content")) {
        if (block.contains("json")) return block.at("json");
    }
    return Json::object();
}

inline Json asked(const std::string& tool, Json input) {
    return {{"tool", tool}, {"input", std::move(input)}};
}
inline Json to_read(const std::string& path, const std::string& mode, Json more = Json::object()) {
    more["path"] = path;
    more["mode"] = mode;
    return asked("file_read", std::move(more));
}

}  // namespace toolhost::test
