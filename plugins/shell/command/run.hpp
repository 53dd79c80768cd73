// Runs one command: its pipelines one after the other, or the whole text by /bin/sh.
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
    std::size_t max_output = 0;            // bytes of stdout and of stderr each
    std::function<bool()> cancelled;
    std::function<void(int, std::string_view)> output;  // called as it arrives: 1 or 2, valid UTF-8
};

struct JobEnd {
    int exit_code = -1;
    std::string output, error;
    bool timed_out = false, cancelled = false, cut = false;
    bool whole_tree = true;  // false: processes that it started may be left
    std::chrono::milliseconds took{};
    Refused refused{};  // by a rule, before any of the refused part ran
};

// Checks the whole text without running it. A `cd` in it changes `folder`, as it would when run.
Refused check(const Settings& settings, const std::string& command, std::filesystem::path& folder);

// A `cd` in it changes `job.folder`.
JobEnd run(const Settings& settings, Job& job);

}  // namespace shell
