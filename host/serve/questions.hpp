// What a tool wants to know, as MCP asks it of a client, and what the client answered.
#pragma once

#include <optional>
#include <string>

#include "host/call/call_observer.hpp"
#include "host/serve/client.hpp"

namespace toolhost::serve {

// A request of ours to the client.
struct InputRequest {
    const char* capability;  // that the client must have
    const char* method;
    Json params;
};

// `question` is as the details of `interrupted` have it: {"id", "name", "reason", "askedBy",
// "kind"}. The message names the tool that asks.
[[nodiscard]] InputRequest input_request(const Json& question);
// The answer in a client's result; nothing: invalid, and the question is asked again.
[[nodiscard]] std::optional<call::Answer> take_answer(const Json& question, const Json& result);

// Whether it is the host's own question for consent to a call, and not the tool's.
[[nodiscard]] bool is_consent(const Json& question);
// The same of a human's consent to a call. `text` is what is shown (call/consent_text.hpp);
// `may_last`: whether it can be given for the session.
[[nodiscard]] InputRequest consent_request(std::string_view text, bool may_last);
[[nodiscard]] std::optional<call::ConsentAnswer> take_consent(const Json& result);

}  // namespace toolhost::serve
