// A host with the shipped tools, and a workspace.
#pragma once

#include <doctest/doctest.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {

// How the tools run, with otherwise equal policies.
struct Mode {
    const char* isolation;
    const char* sandbox;
};
inline constexpr Mode kClosed{"process", "required"};
inline constexpr Mode kOpen{"in_process", "off"};

class ToolStage {
public:
    ToolStage() { fs::create_directory(workspace()); }

    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    void write(const std::string& name, std::string_view text) const {
        write_file(workspace() / name, text);
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        return read_file(workspace() / name);
    }

    // `policy` is the tool's own part of the profile, "max_timeout_s: 1"; `more` contains other
    // keys.
    [[nodiscard]] fs::path profile(const std::string& tool, const Mode& mode,
                                   const std::string& policy = "",
                                   const std::string& more = "consent: bypass\n") const {
        const auto file = stage_.root() / "test.yml";
        write_file(file, std::string("name: test\nextends: default\ndefaults: { isolation: ") +
                             mode.isolation + ", sandbox: " + mode.sandbox +
                             " }\nworkspace: " + workspace().string() + "\npolicies: { " + tool +
                             ": { " + policy + " } }\n" + more);
        return file;
    }

    // Runs calls in order in one host; returns the results.
    [[nodiscard]] std::vector<Json> call(const std::string& tool, const fs::path& profile,
                                         const std::vector<Json>& inputs) const {
        std::string lines;
        for (const auto& input : inputs)
            lines += Json{{"tool", tool}, {"input", input}}.dump() + '\n';
        const auto run =
            stage_.run({"call", "--batch", "-", "--sequential", "--profile", profile.string()},
                       {.input = lines, .name_plugins = false});
        CAPTURE(run);
        std::vector<Json> results;
        for (const auto& line : lines_of(run.out)) results.push_back(Json::parse(line));
        REQUIRE(results.size() == inputs.size());
        return results;
    }

private:
    Stage stage_;
};

// A result's text, or code and message of its error; for a denial its reason.
inline std::string said(const Json& result) {
    const auto at = [&](const char* pointer) {
        return result.value(Json::json_pointer(pointer), std::string());
    };
    if (result.value("status", "") == "success") return at("/content/0/text");
    const auto reason = at("/error/details/reason");
    return at("/error/code") + (reason.empty() ? "" : " " + reason) + ": " + at("/error/message");
}
inline Json json_of(const Json& result) {
    return result.value("/content/1/json"_json_pointer, Json());
}

inline void check_begins(const std::string& text, const std::string& beginning) {
    CAPTURE(text);
    CHECK(text.substr(0, beginning.size()) == beginning);
}
inline void check_ends(const std::string& text, const std::string& end) {
    CAPTURE(text);
    CHECK(text.ends_with(end));
}

// A stage for one tool whose main input is one text field.
class OneToolStage : public ToolStage {
public:
    OneToolStage(std::string tool, std::string field)
        : tool_(std::move(tool)), field_(std::move(field)) {}

    std::string policy;
    std::string more = "consent: bypass\n";

    [[nodiscard]] fs::path profile(const Mode& mode) const {
        return ToolStage::profile(tool_, mode, policy, more);
    }
    [[nodiscard]] std::vector<Json> run(const Mode& mode, const std::vector<Json>& inputs) const {
        return call(tool_, profile(mode), inputs);
    }
    [[nodiscard]] std::vector<std::string> say(const Mode& mode,
                                               const std::vector<std::string>& texts) const {
        std::vector<Json> inputs;
        for (const auto& text : texts) inputs.push_back({{field_, text}});
        std::vector<std::string> out;
        for (const auto& result : run(mode, inputs)) out.push_back(said(result));
        return out;
    }
    // The arguments for a call with that text that streams its output.
    [[nodiscard]] std::vector<std::string> streamed(const Mode& mode,
                                                    const std::string& text) const {
        return {"call",     tool_,       field_ + "=" + text,
                "--stream", "--profile", profile(mode).string()};
    }

private:
    std::string tool_, field_;
};

}  // namespace toolhost::test
