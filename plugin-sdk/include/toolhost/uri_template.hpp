// Matches uris against a template such as notes://{day}/raw and extracts its variables.
#ifndef TOOLHOST_URI_TEMPLATE_HPP
#define TOOLHOST_URI_TEMPLATE_HPP

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace toolhost {

// The uri to read.
struct ResourceUri {
    std::string uri;
    // The template's variables, not percent-decoded.
    std::map<std::string, std::string> values = {};

    // Empty if the variable does not exist.
    [[nodiscard]] std::string operator[](const std::string& variable) const {
        const auto it = values.find(variable);
        return it == values.end() ? std::string() : it->second;
    }
};

namespace detail {

using UriValues = std::map<std::string, std::string>;

// A variable matches one or more characters, as few as possible; {+name} etc. also match slashes.
inline bool match_template(std::string_view uri, std::string_view pattern, UriValues& values) {
    const auto open = pattern.find('{'), close = pattern.find('}');
    if (open == pattern.npos || close == pattern.npos || close < open) return uri == pattern;
    if (uri.substr(0, open) != pattern.substr(0, open)) return false;
    uri.remove_prefix(open);
    std::string_view name = pattern.substr(open + 1, close - open - 1);
    const bool any = name.find_first_of("+/#?&") == 0;
    if (any) name.remove_prefix(1);
    if (name.ends_with('*')) name.remove_suffix(1);
    for (std::size_t length = 1; length <= uri.size(); ++length) {
        if (uri[length - 1] == '/' && !any) return false;
        if (!match_template(uri.substr(length), pattern.substr(close + 1), values)) continue;
        values[std::string(name)] = uri.substr(0, length);
        return true;
    }
    return false;
}

inline std::optional<ResourceUri> match_template(const std::string& uri, std::string_view pattern) {
    ResourceUri matched{uri};
    if (!match_template(uri, pattern, matched.values)) return std::nullopt;
    return matched;
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_URI_TEMPLATE_HPP
