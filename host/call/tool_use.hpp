// A request to call a tool, and what comes back: always one result, errors as data.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "host/base/error.hpp"
#include "toolhost/plugin.h"

namespace toolhost::call {

// To a question of a tool's.
struct Answer {
    tool_status status = TOOL_OK;  // TOOL_DENIED: declined; TOOL_CANCELLED: dismissed, no choice
    Json value{};                  // of TOOL_OK
};

struct ToolUse {
    std::string reference;
    Json input = Json::object();
    std::string use_id;  // empty: one is made
    Json state{};        // null: none. The caller's own, handed to the tool to read
    std::uint32_t attempt = 0;
    std::map<std::string, Answer> answers;  // to interrupts, by id
    // The library whose offer is asked for, by its path; `reference` is then the reserved name of
    // the hidden tool that answers for it (registry/offers.hpp). No reference alone reaches one.
    std::string offered_by{};
    std::string principal{};  // the caller's name; empty: the user, or unauthenticated
    std::string caller{};     // as in tool_request; empty: there is only one user
    // What the user says of this call alone, not of calls within it.
    bool consented = false;                    // consent was given beforehand
    std::optional<std::int64_t> timeout_ms{};  // shortens the call's time, never lengthens it
};

// How much of a text the caller was spared.
struct Truncation {
    std::size_t shown_chars = 0, total_chars = 0;
};

struct ToolResult {
    std::string use_id;
    Json content = Json::array();
    std::optional<Error> error;  // nothing: success
    std::optional<Truncation> truncated;

    [[nodiscard]] bool ok() const { return !error; }
    // {"toolUseId", "status", "content", "error"?, "truncated"?}
    [[nodiscard]] Json json() const;
    // The same as one line of text, without building the document first.
    [[nodiscard]] std::string text() const;
};

// An error as a result: the message is also the content, since that is what a model reads.
[[nodiscard]] ToolResult error_result(std::string use_id, Error error);

enum class ConsentAnswer { no, once, always };
struct ConsentQuestion {
    std::string_view tool;
    const Json& input;
    // Of this very call: the tool's identity, its callers', the input, and which of several such
    // calls of one request it is. An answer by this id is to this call and no other.
    std::string_view id;
    // What `always` holds for: the identity of the tool and of its callers.
    std::string_view scope;
    std::string_view text;  // what a human is shown (consent_text.hpp)
};
struct Question {
    std::string_view id, tool, name;
    const Json& reason;
    // Who is asked: "human", or the client itself for "sampling" or "roots", whose parameters are
    // then the reason.
    std::string_view kind = "human";
    std::string_view asked_by{};  // the asking tool in words (consent_text.hpp)
};
// What a tool asked and got no answer to.
struct Unanswered {
    Json pending{};  // unanswered questions: {"id", "name", "reason", "askedBy", "kind"?} each
    std::optional<std::string> declined, dismissed;  // the names of the last ones
    std::optional<std::string> unsupported;          // what no client here could answer
};

// How the caller watches and steers a call. emit, log and ask come from other threads than the
// caller's. What they refer to must live until the call returns; what `ask` refers to, until it
// returns, which may be later if the call is abandoned.
struct Watch {
    // `use_id` is whose word it is: this call's, or that of a call within it.
    std::function<void(std::string_view use_id, std::string_view kind, std::string_view json)> emit;
    std::function<void(int level, std::string_view message)> log;
    // Asks a human or the client now; nothing if neither can be asked.
    std::function<std::optional<Answer>(const Question&)> ask;
    // Whether the client could answer a question of that kind, now or later; none: no client.
    std::function<bool(std::string_view kind)> client_can;
    std::function<std::optional<ConsentAnswer>(const ConsentQuestion&)> consent;
    // Consent that is not there now is asked for when the call has ended, and the call repeated.
    bool consent_later = false;
    std::stop_token cancel;   // the tool is asked to stop
    std::stop_token abandon;  // it is waited for no longer
};

}  // namespace toolhost::call
