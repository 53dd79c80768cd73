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

}  // namespace toolhost::schema
