// How a profile is named: by a name or by a file.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::policy {

// What has a '/' or ends in .yml or .yaml.
[[nodiscard]] bool is_file_name(std::string_view text);

// A relative name is meant from the folder of the file that has it.
[[nodiscard]] std::string beside(const std::string& file, const std::string& name);

}  // namespace toolhost::policy
