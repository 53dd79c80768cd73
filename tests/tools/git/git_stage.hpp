// The real program with the shipped library, on a workspace with a repository in it.
#pragma once

#include "tests/integration/harness.hpp"

namespace toolhost::test {

// What the profile says beside the defaults.
struct GitTerms {
    std::string isolation = "process";
    std::string policy{};  // settings of git, as YAML: "allow_push: true"
    std::string grants{};  // beside those of the default profile
    std::string more{};    // further lines of the profile
};

inline const std::string kAllActions =
    "allowed_actions: [status, log, diff, show, blame, branches, tags, files, checkout, "
    "create_branch, stage, unstage, commit, tag, stash, fetch, push], user_name: Tool, user_email: "
    "tool@example.com";

class GitStage {
public:
    // A repository `repo` in the workspace, on branch main, with one commit.
    GitStage();

    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }
    [[nodiscard]] fs::path repo() const { return workspace() / "repo"; }

    // A shell command in the repository, with a git of no configuration. Returns its output.
    std::string sh(const std::string& command) const;

    [[nodiscard]] fs::path write_profile(const GitTerms& terms) const;
    // The program with the shipped folder, whose specs are probed once for all stages.
    [[nodiscard]] std::vector<std::string> with_plugins(std::vector<std::string> args) const;
    [[nodiscard]] static Options options();
    // One host, the inputs one after the other, repo_path added; their results.
    [[nodiscard]] std::vector<Json> call(std::vector<Json> inputs, const GitTerms& terms) const;

private:
    Stage stage_;
};

// "invalid_input", "path_not_allowed": the reason of a denial, else the code; empty: a success.
[[nodiscard]] std::string outcome_of(const Json& result);
[[nodiscard]] std::string message_of(const Json& result);

}  // namespace toolhost::test
