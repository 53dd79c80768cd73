// A request that needs answers is repeated with them: rounds. What was asked and answered so far
// travels with the client, sealed.
#pragma once

#include <map>
#include <optional>

#include "host/call/call_observer.hpp"
#include "host/serve/request.hpp"

namespace toolhost::serve {

struct InputRound {
    std::uint32_t attempt = 0;
    std::map<std::string, call::Answer> answers{};          // to questions, by id
    std::map<std::string, call::ConsentAnswer> consents{};  // by call::ConsentQuestion::id
    Json volunteered{};  // responses to what was not asked yet, by name
};

// What a request that stands for itself brings from the rounds before it. Its state is used up by
// this: call it for a request that then runs.
[[nodiscard]] boost::system::result<InputRound, RpcError> open_round(const Request& request);

// The answer to a question that the client gave before it was asked, where it fits. Consent is not
// taken so: it is to what was shown.
[[nodiscard]] std::optional<call::Answer> volunteered(const InputRound& round,
                                                      const Json& question);

// Ends the request with what the error says must be answered first, if it says so and the client
// can; true: the request has ended.
[[nodiscard]] bool ask_for_input(Request& request, const InputRound& round, const Error& error);

}  // namespace toolhost::serve
