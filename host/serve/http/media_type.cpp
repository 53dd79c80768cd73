#include "host/serve/http/media_type.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace toolhost::serve {
namespace {

using boost::beast::iequals;

// Without blanks and parameters.
std::string_view essence(std::string_view type) {
    type = type.substr(0, type.find(';'));
    const auto first = type.find_first_not_of(" \t");
    if (first == type.npos) return {};
    return type.substr(first, type.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool is_type(std::string_view header, std::string_view type) {
    return iequals(essence(header), type);
}

bool accepts(std::string_view header, std::string_view type) {
    const auto family = type.substr(0, type.find('/') + 1);
    while (!header.empty()) {
        const auto comma = std::min(header.find(','), header.size());
        const auto one = essence(header.substr(0, comma));
        if (iequals(one, type) || one == "*/*") return true;
        if (one.ends_with("/*") && iequals(one.substr(0, one.size() - 1), family)) return true;
        header.remove_prefix(std::min(comma + 1, header.size()));
    }
    return false;
}

}  // namespace toolhost::serve
