// What a client carries for us between two rounds of one request, sealed: it can neither read nor
// change it, nor use it for another request, as another client, or too late.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include "host/registry/error.hpp"

namespace toolhost::serve {

class RequestState {
public:
    RequestState();  // with a key of its own, so that it holds as long as this process

    // `bound` is what it holds for: the request and the principal, as text.
    [[nodiscard]] std::string seal(const Json& state, std::string_view bound,
                                   std::chrono::seconds lasts) const;
    // Nothing: it was changed, is too old, or is another request's.
    [[nodiscard]] std::optional<Json> open(std::string_view sealed, std::string_view bound) const;

private:
    std::array<unsigned char, 32> key_{};
};

}  // namespace toolhost::serve
