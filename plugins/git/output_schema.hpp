#pragma once

#include <nlohmann/json.hpp>

namespace git {

// The JSON block: what every answer has, and one object named as its action.
[[nodiscard]] nlohmann::json output_schema();

}  // namespace git
