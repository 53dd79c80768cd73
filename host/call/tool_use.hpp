// A request to call a tool, and what comes back: always one result, errors as data.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "host/base/error.hpp"
#include "host/call/content.hpp"
#include "toolhost/plugin.h"

namespace toolhost::call {

// To a question of a tool's.
struct Answer {
    tool_status status = TOOL_OK;  // TOOL_DENIED: declined; TOOL_CANCELLED: dismissed, no choice
    Json value{};                  // of TOOL_OK
};

struct ToolUse {
    std::string reference{};
    Json input = Json::object();
    std::string use_id{};  // empty: one is made
    std::string state{};   // JSON text; empty: none. The caller's own, which the tool can read
    std::uint32_t attempt = 0;
    std::map<std::string, Answer> answers{};  // to interrupts, by id
    // The library whose offer is asked for, by its path; `reference` is then the reserved name of
    // the hidden tool that answers for it (registry/offers.hpp). No reference alone reaches one.
    std::string offered_by{};
    std::string principal{};  // the caller's name; empty: the user, or unauthenticated
    std::string caller{};     // as in tool_request; empty: there is only one user
    // What the user says of this call alone, not of calls within it.
    bool consented = false;                    // consent was given beforehand
    std::optional<std::int64_t> timeout_ms{};  // shortens the call's time, never lengthens it
    // The input as JSON text: first as it was sent, compact (empty: not known), and once the call
    // is prepared, as the tool gets it.
    std::string input_text{};
    bool is_canonical = false;  // the text is what dump() makes of the input
};

// How much of a text the caller was spared.
struct Truncation {
    std::size_t shown_chars = 0, total_chars = 0;
};

struct ToolResult {
    std::string use_id;
    Content content;
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

// What a tool asked and got no answer to.
struct Unanswered {
    Json pending{};  // unanswered questions: {"id", "name", "reason", "askedBy", "kind"?} each
    std::optional<std::string> declined, dismissed;  // the names of the last ones
    std::optional<std::string> unsupported;          // what no client here could answer
};

}  // namespace toolhost::call
