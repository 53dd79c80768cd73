// What a client carries for us between two rounds of one request, sealed: it can neither read nor
// change it, nor use it for another request, as another client, too late, or twice.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "host/serve/used_states.hpp"

namespace toolhost::serve {

class RequestState {
public:
    RequestState();  // with a key of its own, so that it holds as long as this process

    // `bound` is what it holds for: the request and the principal, as text.
    [[nodiscard]] std::string seal(const Json& state, std::string_view bound,
                                   std::chrono::seconds lasts) const;

    struct Refusal {
        enum Why {
            invalid,  // it was changed, is too old, or is another request's
            used,     // it was taken before
            no_room,  // too many are remembered; none is forgotten to make room
        } why;
    };
    // A state can be taken once. `principal` is who takes it.
    [[nodiscard]] boost::system::result<Json, Refusal> take(std::string_view sealed,
                                                            std::string_view bound,
                                                            const std::string& principal);

private:
    // The plain text, or nothing.
    [[nodiscard]] std::optional<Json> open(std::string_view raw, std::string_view bound) const;

    std::array<unsigned char, 32> key_{};
    UsedStates used_;
};

}  // namespace toolhost::serve
