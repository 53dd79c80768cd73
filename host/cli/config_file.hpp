// The user's config file, changed in one step: the old content or the new, never half of it.
#pragma once

#include <boost/system/result.hpp>
#include <functional>
#include <string>

#include "host/registry/error.hpp"

namespace toolhost::cli {

struct EditFault {
    Exit exit = Exit::trouble;
    std::string message;
};

// Text to text; the same text changes nothing.
using ConfigEdit = std::function<Result<std::string>(const std::string& text)>;

// Whether the file is another now. A file that is not there is an empty one; it and its folders are
// made for their owner alone. What comes out of the edit must load as a config before it takes the
// file's place. Two of these at once wait for each other.
[[nodiscard]] boost::system::result<bool, EditFault> edit_config_file(const std::string& file,
                                                                      const ConfigEdit& edit);

}  // namespace toolhost::cli
