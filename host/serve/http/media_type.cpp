#include "host/serve/http/media_type.hpp"

#include <algorithm>

#include "host/base/ascii.hpp"

namespace toolhost::serve {
namespace {

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Without blanks and parameters.
std::string_view essence(std::string_view type) {
    type = type.substr(0, type.find(';'));
    while (!type.empty() && is_blank(type.front())) type.remove_prefix(1);
    while (!type.empty() && is_blank(type.back())) type.remove_suffix(1);
    return type;
}

}  // namespace

bool is_type(std::string_view header, std::string_view type) {
    return is_alike(essence(header), type);
}

bool accepts(std::string_view header, std::string_view type) {
    const auto family = type.substr(0, type.find('/') + 1);
    while (!header.empty()) {
        const auto comma = std::min(header.find(','), header.size());
        const auto one = essence(header.substr(0, comma));
        if (is_alike(one, type) || one == "*/*") return true;
        if (one.ends_with("/*") && is_alike(one.substr(0, one.size() - 1), family)) return true;
        header.remove_prefix(std::min(comma + 1, header.size()));
    }
    return false;
}

}  // namespace toolhost::serve
