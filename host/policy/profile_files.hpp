// Names of profiles: a name or a file.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::policy {

// Whether it contains a '/' or ends in .yml or .yaml.
[[nodiscard]] bool is_file_name(std::string_view text);

// A relative name is relative to the folder of the file that contains it.
[[nodiscard]] std::string beside(const std::string& file, const std::string& name);

}  // namespace toolhost::policy
