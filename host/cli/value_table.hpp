// A JSON result as people read it: a table where it is a list of objects.
#pragma once

#include <optional>
#include <string>

#include "host/base/error.hpp"

namespace toolhost::cli {

// A list of objects, or an object whose members are plain values and such lists; its plain members
// come as "name: value" lines. At most `columns` wide; what is cut ends in "...", and `cut` says
// so. Nothing: it has no list of objects, or is nested otherwise.
struct ValueTable {
    std::string text;
    bool cut = false;
};
[[nodiscard]] std::optional<ValueTable> value_table(const Json& value, std::size_t columns);

}  // namespace toolhost::cli
