// The form in which tools' input schemas are kept.
#pragma once

#include <nlohmann/json.hpp>

namespace toolhost::schema {

// A tool's inputSchema in its canonical form: {"json": ...} is unwrapped, and a missing `type`,
// `properties` and `required` are filled in at the top level. All else stays, composition
// keywords included; what is not an object comes back as it is.
[[nodiscard]] nlohmann::json normalize(nlohmann::json input_schema);

}  // namespace toolhost::schema
