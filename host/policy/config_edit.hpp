// Changes to the grants in a config file's text that leave every other byte as it is.
//
// People keep comments and an order of their own in that file, so it is not written anew from its
// values: text goes in at, or is taken out from, the places that the parsed YAML names. What comes
// out is parsed again and must mean exactly what was meant; else the edit is refused, with what to
// write by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::policy {

// `text` must be a valid config; `file` is its name for messages. Words that are there already, or
// are not there to be taken away, change nothing.
[[nodiscard]] Result<std::string> with_grants(std::string_view text, const std::string& file,
                                              const std::string& key,
                                              const std::vector<std::string>& words);
[[nodiscard]] Result<std::string> without_grants(std::string_view text, const std::string& file,
                                                 const std::string& key,
                                                 const std::vector<std::string>& words);

}  // namespace toolhost::policy
