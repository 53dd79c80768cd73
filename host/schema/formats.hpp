// The formats that can be asserted.
#pragma once

#include <string_view>

namespace toolhost::schema {

struct Format {
    std::string_view name;
    bool (*check)(std::string_view text);
    std::string_view example;  // for the error message
};

// Returns null for a format that is not checked here; such a `format` is only an annotation.
[[nodiscard]] const Format* find_format(std::string_view name);

// formats_time.cpp
[[nodiscard]] bool is_date(std::string_view text);
[[nodiscard]] bool is_time(std::string_view text);
[[nodiscard]] bool is_date_time(std::string_view text);
[[nodiscard]] bool is_duration(std::string_view text);

// formats_net.cpp
[[nodiscard]] bool is_email(std::string_view text);
[[nodiscard]] bool is_hostname(std::string_view text);
[[nodiscard]] bool is_ipv4(std::string_view text);
[[nodiscard]] bool is_ipv6(std::string_view text);
[[nodiscard]] bool is_uri(std::string_view text);
[[nodiscard]] bool is_uri_reference(std::string_view text);

}  // namespace toolhost::schema
