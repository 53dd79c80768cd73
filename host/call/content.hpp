// The one place that knows what a tool's reply may look like.
#pragma once

#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::call {

// JSON text of content blocks, [{"text"}|{"json"}|{"image"}|{"audio"}|{"document"}|{"resource"}|
// {"resourceLink"}, ...], checked.
[[nodiscard]] Result<Json> parse_content(std::string_view text);

// The value of the first {"json"} block, which is what outputSchema speaks of; null if none.
[[nodiscard]] const Json* json_block(const Json& content);

}  // namespace toolhost::call
