#include "host/base/environment.hpp"

#include <cstdlib>

namespace toolhost {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string user_folder(const char* variable, const char* fallback) {
    if (const auto base = environment(variable); base.starts_with('/')) return base + "/toolhost";
    if (const auto home = environment("HOME"); !home.empty())
        return home + '/' + fallback + "/toolhost";
    return "";
}

}  // namespace toolhost
