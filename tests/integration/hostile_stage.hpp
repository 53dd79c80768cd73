// A stage for code that means harm: a closed profile, a batch that goes on after it, and a look at
// what is left.
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
    std::optional<uid_t> user{};  // whose host it is
};

// Whose host it is that the requests go through.
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

    // Processes that were started for this stage and still are there, the host's included.
    [[nodiscard]] std::vector<pid_t> processes() const;
    // What lies in the folder that temporary folders are made in.
    [[nodiscard]] std::vector<std::string> temporary() const;
    // Whether both are empty within the time.
    [[nodiscard]] bool clears_within(std::chrono::milliseconds time) const;

private:
    [[nodiscard]] Run embedded(const std::string& lines, const ProfileValues& values) const;

    const std::vector<std::string> tools_;  // named as their fixtures
    Stage stage_;
};

// A host that answered every line, a working echo in the end, a `before` and an `after` for each,
// and nothing left: checks all that, and returns the results.
[[nodiscard]] std::vector<Json> outlived(const HostileStage& hostile,
                                         const std::vector<Json>& requests,
                                         const ProfileValues& values,
                                         Through through = Through::command_line);

// The result's code; empty: a success.
[[nodiscard]] std::string code_of(const Json& result);
// The text of a result's only content.
[[nodiscard]] std::string text_of(const Json& result);

// False, with a word on it, where the kernel has no whole sandbox.
[[nodiscard]] bool can_be_closed();

}  // namespace toolhost::test
