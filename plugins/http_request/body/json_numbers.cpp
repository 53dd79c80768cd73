#include "body/json_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace http_tool {
namespace {

constexpr std::size_t kSureDigits = 18;  // any number with as many digits fits

bool fits_64_bits(std::string_view digits, bool negative) {
    const char* end = digits.data() + digits.size();
    std::uint64_t value = 0;
    if (std::from_chars(digits.data(), end, value).ec != std::errc{}) return false;
    return !negative || value <= std::uint64_t{1} << 63;
}

// The position after the quote that ends the string starting at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
    for (++at; at < json.size(); ++at) {
        if (json[at] == '"') return at + 1;
        if (json[at] == '\\') ++at;
    }
    return json.size();
}

}  // namespace

bool has_long_integer(std::string_view json) {
    constexpr std::string_view kDigits = "0123456789";
    for (std::size_t at = 0; at < json.size();) {
        at = json.find_first_of("\"0123456789", at);
        if (at == std::string_view::npos) return false;
        if (json[at] == '"') {
            at = end_of_string(json, at);
            continue;
        }
        const auto end = std::min(json.find_first_not_of(kDigits, at), json.size());
        const bool whole = end == json.size() || (json[end] != '.' && (json[end] | 32) != 'e');
        if (whole && end - at > kSureDigits &&
            !fits_64_bits(json.substr(at, end - at), at > 0 && json[at - 1] == '-'))
            return true;
        at = std::min(json.find_first_not_of("0123456789.eE+-", end), json.size());
    }
    return false;
}

}  // namespace http_tool
