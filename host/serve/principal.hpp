// Who a client is, as its token says.
#pragma once

#include <string>

namespace toolhost::serve {

struct Principal {
    std::string name{};     // empty: unauthenticated
    std::string profile{};  // empty: the host's own

    bool operator==(const Principal&) const = default;
};

}  // namespace toolhost::serve
