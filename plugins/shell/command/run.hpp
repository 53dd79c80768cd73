// Runs one command: the pipelines of its text one after the other, or the whole of it by /bin/sh.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command/rules.hpp"

namespace shell {

struct Job {
    std::string command;
    std::filesystem::path folder;
    std::chrono::milliseconds timeout{};
};

struct Settings {
    Rules rules;
    bool allow_shell = false;
    std::vector<std::string> environment;  // NAME=VALUE
    std::size_t max_output = 0;            // bytes, of stdout and of stderr each
    std::function<bool()> cancelled;
    std::function<void(int, std::string_view)> output;  // as it comes: 1 or 2, valid UTF-8
};

struct JobEnd {
    int exit_code = -1;
    std::string output, error;
    bool timed_out = false, cancelled = false, cut = false;
    bool whole_tree = true;  // false: what it started may still be there
    std::chrono::milliseconds took{};
    Refused refused{};  // by a rule, before anything of the refused part ran
};

// Looks at the whole text without running any of it. A `cd` in it moves `folder`, as it would.
Refused check(const Settings& settings, const std::string& command, std::filesystem::path& folder);

// A `cd` in it moves `job.folder`.
JobEnd run(const Settings& settings, Job& job);

}  // namespace shell
