#include "host/call/outcome.hpp"

#include "host/base/utf8.hpp"
#include "host/call/bounds.hpp"
#include "host/call/content.hpp"
#include "host/call/denial.hpp"

namespace toolhost::call {
namespace {

using loading::Outcome;

// No profile can ask for more: a reply is held in memory several times over.
using loading::kMaxReplyBytes;

Error said_by_tool(ErrorCode code, const std::optional<Outcome::Text>& text, const char* silence,
                   const char* key) {
    if (!text) return {code, silence, {}};
    const std::string message(first_characters(text->message, kMaxMessageChars));
    return {code, message.empty() ? silence : message, {{key, text->key.substr(0, kMaxKeyBytes)}}};
}

Result<Content> judge_reply(const Outcome& outcome) {
    if (outcome.replies != 1)
        return Error{ErrorCode::invalid_reply,
                     outcome.replies == 0 ? "the tool returned TOOL_OK without a reply"
                                          : "the tool replied more than once",
                     {}};
    if (outcome.content.size() > kMaxReplyBytes)
        return Error{ErrorCode::output_too_large,
                     "the tool's reply has " + std::to_string(outcome.content.size()) + " bytes; " +
                         std::to_string(kMaxReplyBytes) + " are allowed",
                     {{"bytes", outcome.content.size()}, {"allowed", kMaxReplyBytes}}};
    return parse_content(outcome.content);
}

Error judge_interrupt(const Json& interrupts) {
    if (interrupts.empty())
        return {ErrorCode::invalid_reply,
                "the tool returned TOOL_INTERRUPTED without asking anything",
                {}};
    std::string names;
    for (const auto& asked : interrupts)
        names += (names.empty() ? "'" : ", '") + asked.value("name", "") + '\'';
    return {ErrorCode::interrupted,
            "the tool is waiting for an answer to " + names,
            {{"interrupt", interrupts.front()}, {"interrupts", interrupts}}};
}

// The tool passed on what a human said to its question, and had nothing to add.
Error not_consented(const std::string& question, Denial how) {
    return deny(how, "the user " + std::string(name_of(how)) + " the question '" + question + '\'',
                {{"question", question}});
}

// The tool passed on that the client cannot answer what it must know.
Error not_capable(const std::string& capability) {
    return {ErrorCode::tool_failed,
            "the tool requires the client capability " + capability +
                ", which this client does not have",
            {{"capability", capability}}};
}

// A tool that failed where a limit was met failed because of it.
Error judge_exhausted(const Outcome& outcome) {
    const auto& resource = outcome.exhausted.front();
    if (resource == "reply")
        return {ErrorCode::output_too_large,
                "the tool's reply has more than " + std::to_string(kMaxReplyBytes) + " bytes",
                {{"allowed", kMaxReplyBytes}}};
    auto error =
        said_by_tool(ErrorCode::resource_exhausted, outcome.failure, "the tool failed", "code");
    error.message += " (it exceeded limits." + resource + ')';
    if (!error.details.is_object()) error.details = Json::object();
    error.details["resource"] = resource;
    return error;
}

}  // namespace

Result<Content> judge_outcome(const Outcome& outcome, const Unanswered* unanswered) {
    if (!outcome.exhausted.empty()) return judge_exhausted(outcome);
    switch (outcome.status) {
        case TOOL_OK:
            return judge_reply(outcome);
        case TOOL_FAILED:
            return said_by_tool(ErrorCode::tool_failed, outcome.failure,
                                "the tool failed without a message", "code");
        case TOOL_BAD_INPUT:
            return said_by_tool(ErrorCode::invalid_input, outcome.failure,
                                "the tool refused this input without a message", "code");
        case TOOL_DENIED:
            if (!outcome.denial && unanswered && unanswered->declined)
                return not_consented(*unanswered->declined, Denial::declined);
            return said_by_tool(ErrorCode::policy_denied, outcome.denial,
                                "the tool's policy denies the call, without a message", "reason");
        case TOOL_CANCELLED:
            if (unanswered && unanswered->dismissed)
                return not_consented(*unanswered->dismissed, Denial::dismissed);
            return Error{ErrorCode::cancelled, "the call was cancelled", {}};
        case TOOL_UNSUPPORTED:
            if (unanswered && unanswered->unsupported) return not_capable(*unanswered->unsupported);
            return Error{
                ErrorCode::tool_failed, "the tool's library does not support this call", {}};
        case TOOL_INTERRUPTED:
            return judge_interrupt(unanswered ? unanswered->pending : Json());
        default:
            return Error{ErrorCode::invalid_reply,
                         "the tool returned the unknown status " + std::to_string(outcome.status),
                         {}};
    }
}

}  // namespace toolhost::call
