// Reads cookies from a file in the workspace.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "net/rules.hpp"

namespace http_tool {

// Returns the lines with cookies. Refuses paths out of the workspace, also through links.
[[nodiscard]] std::variant<std::vector<std::string>, Refusal, Failure> read_cookie_file(
    const std::filesystem::path& workspace, const std::string& path);

}  // namespace http_tool
