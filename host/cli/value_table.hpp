// A JSON result for people: a list of objects as a table.
#pragma once

#include <optional>
#include <string>

#include "host/base/error.hpp"

namespace toolhost::cli {

// For a list of objects, or an object whose members are plain values and such lists; its plain
// members become "name: value" lines. At most `columns` wide; truncated text ends in "...", and
// `cut` is set. Nothing for other values.
struct ValueTable {
    std::string text;
    bool cut = false;
};
[[nodiscard]] std::optional<ValueTable> value_table(const Json& value, std::size_t columns);

}  // namespace toolhost::cli
