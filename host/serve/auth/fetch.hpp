// One small document from the web: limited in size and time, and only from the given server.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "host/base/error.hpp"
#include "host/serve/auth/url.hpp"

namespace toolhost::serve {

struct FetchLimits {
    std::chrono::milliseconds time{5000};  // for all of it, from the name to the last byte
    std::size_t bytes = 256u << 10;
};

// The body of a 200; a redirection is not followed, for it may lead anywhere. With https the
// certificate must be of that name and by an authority the system trusts. `stop` ends it early.
[[nodiscard]] Result<std::string> fetch(const Url& url, const std::stop_token& stop,
                                        const FetchLimits& limits = {});

}  // namespace toolhost::serve
