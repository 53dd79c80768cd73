// Cookies from a file of the workspace.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "net/rules.hpp"

namespace http_tool {

// The lines that are cookies. A path that leads out of the workspace, by links too, is refused.
[[nodiscard]] std::variant<std::vector<std::string>, Refusal, Failure> read_cookie_file(
    const std::filesystem::path& workspace, const std::string& path);

}  // namespace http_tool
