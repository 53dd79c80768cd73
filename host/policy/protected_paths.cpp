#include "host/policy/protected_paths.hpp"

#include <algorithm>

#include "host/base/suggest.hpp"
#include "host/policy/place.hpp"

namespace toolhost::policy {

std::vector<std::string> protected_paths(const std::vector<std::string>& unprotect) {
    std::vector<std::string> out;
    for (const auto& entry : kProtectedPaths)
        if (std::find(unprotect.begin(), unprotect.end(), entry.path) == unprotect.end())
            out.emplace_back(entry.path);
    return out;
}

std::string wrong_unprotect(std::string_view path) {
    std::vector<std::string> known;
    for (const auto& entry : kProtectedPaths) {
        if (entry.path == path) return "";
        known.emplace_back(entry.path);
    }
    const auto near = did_you_mean(path, known);
    return in_quotes(path) + " is not a protected path" +
           (near.empty() ? "; docs/security.md lists them" : near);
}

}  // namespace toolhost::policy
