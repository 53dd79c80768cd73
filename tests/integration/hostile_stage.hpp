// A stage for hostile code: a restrictive profile, a batch that continues after it, and checks for
// leftover processes and files.
#pragma once

#include "tests/integration/harness.hpp"

namespace toolhost::test {

// What a profile says of the worker; the rest is the same for all.
struct ProfileValues {
    int timeout_ms = 20000;  // for all but echo
    int memory_mb = 128;
    int cpu_seconds = 60;
    int max_crashes = 5;
    std::string grants{};  // "hostile_escape: [network]"
    std::string sandbox = "required";
    std::optional<uid_t> user{};  // the host's user
};

// How requests reach the host.
enum class Through { command_line, library };

class HostileStage {
public:
    explicit HostileStage(const std::vector<std::string>& fixtures);

    [[nodiscard]] const Stage& stage() const { return stage_; }
    [[nodiscard]] fs::path workspace() const { return stage_.root() / "workspace"; }

    // The request lines through one host, one after the other, and an echo in the end.
    [[nodiscard]] Run run(const std::vector<Json>& requests, const ProfileValues& values,
                          Through through = Through::command_line) const;
    // Writes the profile that run() uses, and returns its path.
    [[nodiscard]] fs::path write_profile(const ProfileValues& values) const;

    // Processes of this stage that still exist, including the host.
    [[nodiscard]] std::vector<pid_t> processes() const;
    // The content of the folder for temporary folders.
    [[nodiscard]] std::vector<std::string> temporary() const;
    // Whether both are empty within the time.
    [[nodiscard]] bool is_clean_within(std::chrono::milliseconds time) const;

private:
    [[nodiscard]] Run embedded(const std::string& lines, const ProfileValues& values) const;

    const std::vector<std::string> tools_;  // named like their fixtures
    Stage stage_;
};

// Checks that the host answered every line, that the final echo worked, that each call has a
// `before` and an `after`, and that nothing is left. Returns the results.
[[nodiscard]] std::vector<Json> outlived(const HostileStage& hostile,
                                         const std::vector<Json>& requests,
                                         const ProfileValues& values,
                                         Through through = Through::command_line);

// The result's code; empty for a success.
[[nodiscard]] std::string code_of(const Json& result);
// The text of a result's only content.
[[nodiscard]] std::string text_of(const Json& result);

// Prints a message and returns false if the kernel does not support a complete sandbox.
[[nodiscard]] bool can_be_closed();

}  // namespace toolhost::test
