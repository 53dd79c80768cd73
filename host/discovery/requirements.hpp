// Whether what a tool requires of the machine is there: {"command:git": ">=2.30", "env:TOKEN":
// "*"}.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/registry/tool_spec.hpp"

namespace toolhost::discovery {

class Requirements {
public:
    // Sentences about what is missing; none: all is there. "tool:" ones are the catalogue's.
    [[nodiscard]] std::vector<std::string> missing(const registry::ToolSpec& spec);

private:
    [[nodiscard]] std::string check(const std::string& what, const std::string& range);
    [[nodiscard]] std::string check_command(const std::string& name, const std::string& range);

    std::map<std::string, std::string> commands_;  // asked once each: name -> its --version text
};

// The program that a name on PATH stands for; empty if there is none.
[[nodiscard]] std::string find_program(const std::string& name);
// The first thing in `text` that looks like a version: "git version 2.39.5" -> 2.39.5.
[[nodiscard]] std::optional<registry::Version> find_version(const std::string& text);

}  // namespace toolhost::discovery
