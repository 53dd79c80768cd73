// Checks a tool's requirements on the machine: {"command:git": ">=2.30", "env:TOKEN": "*"}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/discovery/command_version.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::discovery {

struct RequirementOptions {
    std::vector<std::string> writable;  // folders that tools may write: no command runs from there
    std::string cache;                  // folder where versions are stored; empty for none
    std::string host;                   // the host's own binary, which runs commands in a sandbox
    bool ask_again = false;             // run a command again if its stored version does not fit
};

class Requirements {
public:
    explicit Requirements(const RequirementOptions& options);

    // One sentence per missing requirement. The catalogue checks "tool:" requirements.
    [[nodiscard]] std::vector<std::string> missing(const registry::ToolSpec& spec);
    // Stores the versions of the commands that were run.
    void save() { versions_.save(); }

private:
    [[nodiscard]] std::string check(const std::string& what, const std::string& range);
    [[nodiscard]] std::string check_command(const std::string& name, const std::string& range);
    [[nodiscard]] std::string compare(const std::string& name, const std::string& program,
                                      const std::string& range, bool again);

    const std::vector<std::string> writable_;
    const bool ask_again_;
    CommandVersions versions_;
};

// Finds the first version in `text`: "git version 2.39.5" -> 2.39.5.
[[nodiscard]] std::optional<Version> find_version(const std::string& text);

}  // namespace toolhost::discovery
