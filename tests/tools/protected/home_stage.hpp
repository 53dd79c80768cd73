// A home that is also the workspace, as for a host that a client starts in the home folder.
#pragma once

#include "tests/tools/tool_stage.hpp"

namespace toolhost::test {

class HomeStage {
public:
    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path home() const { return stage_.root() / "home"; }

    // `more`: additional keys of the profile, which is outside of the home.
    [[nodiscard]] Run run(std::vector<std::string> args, const std::string& more = "",
                          Options options = {}) const {
        const auto profile = stage_.root() / "test.yml";
        write_file(profile,
                   "name: test\nextends: default\nconsent: bypass\npolicies:\n"
                   "  shell: { allow_shell: true }\n"
                   "  file_write: { allow_hidden: true, denied_globs: [] }\n"
                   "  git: { allowed_actions: [checkout, stash], allow_worktree_dirty: true,\n"
                   "    user_name: a, user_email: a@b }\n" +
                       more);
        args.insert(args.end(), {"--profile", profile.string()});
        options.name_plugins = false;
        if (options.folder.empty()) options.folder = home();
        options.env.emplace("TOOLHOST_CACHE", (home() / ".cache/toolhost").string());
        return stage_.run(std::move(args), options);
    }
    // Runs calls in order in one host; returns their output.
    [[nodiscard]] std::vector<std::string> say(const std::vector<Json>& requests,
                                               const std::string& more = "",
                                               const Options& options = {}) const {
        std::string lines;
        for (const auto& request : requests) lines += request.dump() + '\n';
        auto with_input = options;
        with_input.input = lines;
        const auto ended =
            run({"call", "--batch", "-", "--sequential", "--events", events().string()}, more,
                with_input);
        CAPTURE(ended);
        std::vector<std::string> out;
        for (const auto& line : lines_of(ended.out)) out.push_back(said(Json::parse(line)));
        REQUIRE(out.size() == requests.size());
        return out;
    }
    // Runs commands in one shell worker; returns whether each failed: "0 1 1".
    [[nodiscard]] std::string shell(const std::vector<std::string>& commands,
                                    const std::string& more = "",
                                    const Options& options = {}) const {
        std::vector<Json> requests;
        for (const auto& command : commands)
            requests.push_back(
                {{"tool", "shell"}, {"input", {{"command", command + " 2>/dev/null; echo =$?"}}}});
        std::string out;
        for (const auto& text : say(requests, more, options)) {
            CAPTURE(text);
            const auto at = text.find('=');
            REQUIRE(at != std::string::npos);
            out += out.empty() ? "" : " ";
            out += text.substr(at, 2) == "=0" ? "0" : "1";
        }
        return out;
    }

    [[nodiscard]] fs::path events() const { return stage_.root() / "events.jsonl"; }

private:
    Stage stage_;
};

}  // namespace toolhost::test
