#include "host/schema/formats.hpp"

#include <algorithm>
#include <cctype>

#include "host/base/ascii.hpp"
#include "host/schema/ecma_pattern.hpp"
#include "host/schema/formats_net.hpp"
#include "host/schema/formats_time.hpp"

namespace toolhost::schema {
namespace {

bool is_uuid(std::string_view text) {
    constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    return text.size() == kShape.size() &&
           std::equal(text.begin(), text.end(), kShape.begin(),
                      [](char c, char s) { return s == '-' ? c == '-' : is_hex(c); });
}

bool is_regex(std::string_view text) {
    return translate_pattern(text).has_value();
}

bool is_json_pointer(std::string_view text) {
    if (!text.empty() && text.front() != '/') return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '~') continue;
        if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
    }
    return true;
}

constexpr Format kFormats[] = {
    {"date-time", is_date_time, "2024-05-01T12:30:00Z"},
    {"date", is_date, "2024-05-01"},
    {"time", is_time, "12:30:00Z"},
    {"duration", is_duration, "P1DT12H"},
    {"email", is_email, "name@example.com"},
    {"hostname", is_hostname, "www.example.com"},
    {"ipv4", is_ipv4, "192.0.2.1"},
    {"ipv6", is_ipv6, "2001:db8::1"},
    {"uri", is_uri, "https://example.com/path"},
    {"uri-reference", is_uri_reference, "/path?query"},
    {"uuid", is_uuid, "123e4567-e89b-12d3-a456-426614174000"},
    {"regex", is_regex, "^[a-z]+$"},
    {"json-pointer", is_json_pointer, "/items/0"},
};

}  // namespace

const Format* find_format(std::string_view name) {
    const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                     [&](const Format& one) { return one.name == name; });
    return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace toolhost::schema
