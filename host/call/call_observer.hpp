// What the caller of a tool is told and asked while the call runs.
#pragma once

#include <optional>
#include <string_view>

#include "host/call/tool_use.hpp"

namespace toolhost::call {

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
// Follows one call and answers its questions. The call keeps its observer until the tool's code has
// returned, which may be after the result if the call is abandoned. emit, log, ask and consent come
// from any thread; nothing comes after the result, except the end of an `ask` that waits.
class CallObserver {
public:
    virtual ~CallObserver() = default;

    // `use_id` is that of the call that emits: the observed one, or one nested in it.
    virtual void emit(std::string_view /*use_id*/, std::string_view /*kind*/,
                      std::string_view /*json*/) {}
    virtual void log(int /*level*/, std::string_view /*message*/) {}
    // Asks a human or the client now; nothing if neither can be asked.
    [[nodiscard]] virtual std::optional<Answer> ask(const Question&) { return std::nullopt; }
    // Whether the client could answer a question of that kind, now or later.
    [[nodiscard]] virtual bool client_can(std::string_view /*kind*/) const { return false; }
    [[nodiscard]] virtual std::optional<ConsentAnswer> consent(const ConsentQuestion&) {
        return std::nullopt;
    }
    // Whether consent that is missing now is asked for after the call, which is then repeated.
    [[nodiscard]] virtual bool consent_later() const { return false; }
    // The result of a call that Invoker::start() began. Once, on the thread that ran the call, or
    // on the one that noticed that its time is over. Be quick, and do not end the invoker from it.
    virtual void finished(ToolResult&&) {}
};

}  // namespace toolhost::call
