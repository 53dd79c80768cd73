// RFC 3339: dates, times and durations.
#pragma once

#include <string_view>

namespace toolhost::schema {

[[nodiscard]] bool is_date(std::string_view text);
[[nodiscard]] bool is_time(std::string_view text);
[[nodiscard]] bool is_date_time(std::string_view text);
[[nodiscard]] bool is_duration(std::string_view text);

}  // namespace toolhost::schema
