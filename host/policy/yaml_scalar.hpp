// Interprets a plain scalar by the core schema of YAML 1.2.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::policy {

// A number that JSON cannot represent.
struct ScalarFault {
    std::string sentence;
};

// null, a boolean, a number, or the text itself.
[[nodiscard]] boost::system::result<Json, ScalarFault> read_plain_scalar(std::string_view text);

}  // namespace toolhost::policy
