#include "tests/unit/git/fixture.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace git::test {

Policy open_policy() {
    Policy policy;
    for (const auto& action : actions()) policy.allowed_actions.emplace_back(action.name);
    policy.allow_push = true;
    policy.max_files = 1000;
    policy.max_output_chars = 1000000;
    policy.max_log_count = 100000;
    policy.max_file_bytes = 1 << 20;
    policy.allowed_refs = policy.allowed_remotes = {"*"};
    policy.user_name = "Tool";
    policy.user_email = "tool@example.com";
    return policy;
}

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Workspace::Workspace() {
    auto pattern = (fs::temp_directory_path() / "toolhost-git-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root_ = fs::path(pattern) / "workspace";
    fs::create_directories(repo());
    fs::create_directories(outside());
}

Workspace::~Workspace() {
    std::error_code ignored;
    fs::remove_all(root_.parent_path(), ignored);
}

void Workspace::write(const std::string& path, const std::string& content) const {
    fs::create_directories((repo() / path).parent_path());
    std::ofstream stream(repo() / path, std::ios::binary | std::ios::trunc);
    stream << content;
    if (!stream.flush()) throw std::runtime_error("cannot write " + path);
}

std::string Workspace::sh(const std::string& command) const {
    ++minute_;
    // Starts at 2026-01-15T10:00:00+0100.
    const auto clock = "'" + std::to_string(1768467600 + minute_ * 60) + " +0100'";
    const auto whole =
        "cd '" + repo().string() +
        "' && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null LC_ALL=C TZ=UTC "
        "GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_COMMITTER_NAME=Bob "
        "GIT_COMMITTER_EMAIL=bob@example.com GIT_PAGER=cat GIT_AUTHOR_DATE=" +
        clock + " GIT_COMMITTER_DATE=" + clock +
        " GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=core.quotePath GIT_CONFIG_VALUE_0=false "
        "GIT_CONFIG_KEY_1=protocol.file.allow GIT_CONFIG_VALUE_1=always; { " +
        command + "\n} 2>&1";
    std::FILE* pipe = ::popen(whole.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen");
    std::string out;
    std::array<char, 4096> part{};
    for (std::size_t size; (size = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
        out.append(part.data(), size);
    const int status = ::pclose(pipe);
    CAPTURE(command);
    CAPTURE(out);
    CHECK(status == 0);
    return out;
}

std::string Workspace::commit_all(const std::string& message) const {
    return sh("git add -A && git commit -q -m '" + message + "'");
}

void Workspace::begin() const {
    sh("git init -q -b main");
    write("a.txt", "one\ntwo\nthree\n");
    write("src/b.txt", "bee\n");
    write("picture.bin", std::string("\0\1\2\0binary", 10));
    commit_all("First commit");
}

Answer Workspace::ask(Request request, const Policy& policy) const {
    if (!request.repo_path) request.repo_path = "repo";
    Progress progress;
    return run(request, policy, root_, progress);
}

std::string Workspace::refusal(Request request, const Policy& policy) const {
    try {
        const auto answer = ask(std::move(request), policy);
        return "answered: " + answer.text;
    } catch (const Denial& denial) {
        return denial.reason + ": " + denial.message;
    } catch (const Failure& failure) {
        return "failed: " + failure.message;
    } catch (const Misuse& misuse) {
        return "input " + misuse.field + ": " + misuse.message;
    } catch (const Stopped&) {
        return "stopped";
    }
}

}  // namespace git::test
