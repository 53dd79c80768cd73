// A workspace with repositories created by the real git, and the tool's answers about them.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

#include "actions/table.hpp"

namespace git::test {

namespace fs = std::filesystem;

// Allows everything with wide limits; each test restricts what it tests.
[[nodiscard]] Policy open_policy();

[[nodiscard]] std::string read(const fs::path& file);
[[nodiscard]] bool has(const std::string& text, const std::string& part);

class Workspace {
public:
    Workspace();
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    [[nodiscard]] const fs::path& root() const { return root_; }
    // The folder above, which must stay hidden from the tool.
    [[nodiscard]] fs::path outside() const { return root_.parent_path() / "outside"; }
    [[nodiscard]] fs::path repo() const { return root_ / "repo"; }

    void write(const std::string& path, const std::string& content) const;  // in the repository
    // Runs a shell command in the repository, where git has a fixed user and the clock advances by
    // a minute each time. Returns its output; a failure fails the test.
    std::string sh(const std::string& command) const;
    std::string commit_all(const std::string& message) const;
    // `git init` and a commit with a.txt, src/b.txt and a binary file.
    void begin() const;

    Answer ask(Request request, const Policy& policy = open_policy()) const;
    // The refusal: "reason: ...", "failed: ...", "input field: ...", "stopped".
    [[nodiscard]] std::string refusal(Request request, const Policy& policy = open_policy()) const;

private:
    fs::path root_;
    mutable int minute_ = 0;
};

}  // namespace git::test
