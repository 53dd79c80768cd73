// The caller as tools see it: an opaque text for each client, which no client can choose or
// guess.
#pragma once

#include <array>
#include <string>

#include "host/serve/principal.hpp"

namespace toolhost::serve {

class Callers {
public:
    Callers();  // throws where the kernel has no random numbers

    // The same for every request of the principal as long as this object lives.
    [[nodiscard]] std::string of(const Principal& principal) const;
    // Unlike any other.
    [[nodiscard]] static std::string fresh();

private:
    std::array<char, 32> key_{};
};

}  // namespace toolhost::serve
