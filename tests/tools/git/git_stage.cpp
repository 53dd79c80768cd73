#include "tests/tools/git/git_stage.hpp"

#include <doctest/doctest.h>

#include "tests/integration/child.hpp"

namespace toolhost::test {

GitStage::GitStage() {
    fs::create_directories(repo());
    write_file(repo() / "a.txt", "one\ntwo\n");
    sh("git init -q -b main; git add -A; git commit -q -m First");
}

std::string GitStage::sh(const std::string& command) const {
    const std::string when = "2026-01-15T12:00:00+0000";
    const auto ended =
        run_child({.args = {"/bin/sh", "-c", command},
                   .env = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                           "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
                           "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com",
                           "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com",
                           "GIT_AUTHOR_DATE=" + when, "GIT_COMMITTER_DATE=" + when},
                   .input = {},
                   .folder = repo(),
                   .user = {},
                   .deadline = std::chrono::seconds(60)});
    CAPTURE(command);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 0);
    return ended.out;
}

fs::path GitStage::write_profile(const GitProfile& terms) const {
    const auto file = stage_.root() / "git.yml";
    write_file(file, "name: test\nextends: default\ndefaults: { isolation: " + terms.isolation +
                         ", sandbox: " + (terms.isolation == "process" ? "required" : "off") +
                         " }\npolicies: { git: { " + terms.policy +
                         " } }\nworkspace: " + workspace().string() + "\ngrants: { " +
                         terms.grants + " }\n" + terms.more);
    return file;
}

std::vector<std::string> GitStage::with_plugins(std::vector<std::string> args) const {
    args.insert(args.end(), {"--only-plugins", TOOLHOST_SHIPPED});
    return args;
}

Options GitStage::options() {
    static const TempDir cache;
    Options options;
    options.env = {{"TOOLHOST_CACHE", cache.path().string()}};
    options.name_plugins = false;
    return options;
}

std::vector<Json> GitStage::call(std::vector<Json> inputs, const GitProfile& terms) const {
    std::string lines;
    for (auto& input : inputs) {
        if (!input.contains("repo_path")) input["repo_path"] = "repo";
        lines += Json{{"tool", "git"}, {"input", input}, {"toolUseId", "call"}}.dump() + '\n';
    }
    auto given = options();
    given.input = lines;
    const auto run = stage_.run(with_plugins({"call", "--batch", "-", "--sequential", "--profile",
                                              write_profile(terms).string()}),
                                given);
    CAPTURE(run);
    std::vector<Json> results;
    for (const auto& line : lines_of(run.out)) results.push_back(Json::parse(line));
    REQUIRE(results.size() == inputs.size());
    return results;
}

std::string outcome_of(const Json& result) {
    const auto reason = result.value("/error/details/reason"_json_pointer, "");
    return reason.empty() ? result.value("/error/code"_json_pointer, "") : reason;
}

std::string message_of(const Json& result) {
    return result.value("/error/message"_json_pointer, "");
}

}  // namespace toolhost::test
