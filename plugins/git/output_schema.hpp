#pragma once

#include <nlohmann/json.hpp>

namespace git {

// The JSON block: common fields, and one object named like its action.
[[nodiscard]] nlohmann::json output_schema();

}  // namespace git
