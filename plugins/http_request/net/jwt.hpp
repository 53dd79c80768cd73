// A JSON Web Token with only an expiry time, signed with a shared secret.
#pragma once

#include <cstdint>
#include <string>

#include "net/outcome.hpp"

namespace http_tool {

// `algorithm` is HS256, HS384 or HS512; `expires` in seconds since 1970.
[[nodiscard]] Outcome<std::string> make_jwt(const std::string& secret, const std::string& algorithm,
                                            std::int64_t expires);

}  // namespace http_tool
