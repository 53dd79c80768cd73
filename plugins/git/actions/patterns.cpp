#include "actions/patterns.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace git {

bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    });
}

}  // namespace git
