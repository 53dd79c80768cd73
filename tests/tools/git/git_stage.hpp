// The real program with the shipped library, and a workspace with a repository.
#pragma once

#include "tests/integration/harness.hpp"

namespace toolhost::test {

// Additions to the default profile.
struct GitProfile {
    std::string isolation = "process";
    std::string policy{};  // settings of git, as YAML: "allow_push: true"
    std::string grants{};  // in addition to those of the default profile
    std::string more{};    // additional lines of the profile
};

inline const std::string kAllActions =
    "allowed_actions: [status, log, diff, show, blame, branches, tags, files, checkout, "
    "create_branch, stage, unstage, commit, tag, stash, fetch, push], user_name: Tool, user_email: "
    "tool@example.com";

class GitStage {
public:
    // Creates the repository `repo` in the workspace, on branch main, with one commit.
    GitStage();

    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    [[nodiscard]] fs::path repo() const { return workspace() / "repo"; }

    // Runs a shell command in the repository, with a git without configuration. Returns its output.
    std::string sh(const std::string& command) const;

    [[nodiscard]] fs::path write_profile(const GitProfile& terms) const;
    // Arguments for the shipped folder, whose specs are probed once for all stages.
    [[nodiscard]] std::vector<std::string> with_plugins(std::vector<std::string> args) const;
    [[nodiscard]] static Options options();
    // Runs the inputs in order in one host, with repo_path added; returns their results.
    [[nodiscard]] std::vector<Json> call(std::vector<Json> inputs, const GitProfile& terms) const;

private:
    Stage stage_;
};

// "invalid_input", "path_not_allowed": the reason of a denial, or the code; empty for a success.
[[nodiscard]] std::string outcome_of(const Json& result);
[[nodiscard]] std::string message_of(const Json& result);

}  // namespace toolhost::test
