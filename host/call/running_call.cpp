#include "host/call/running_call.hpp"

#include "host/base/json_text.hpp"
#include "host/call/consent_text.hpp"
#include "host/call/invoker.hpp"
#include "host/os/content_hash.hpp"

namespace toolhost::call {

using Clock = std::chrono::steady_clock;

// The kind of a question that is not the client's own to answer.
constexpr std::string_view kHuman = "human";
// The name of a question with which a tool asks for consent itself.
constexpr std::string_view kConsent = "consent";

class RunningCall::ClockStopped {
public:
    explicit ClockStopped(RunningCall& call) : call_(call) { ++call_.asking_; }
    ~ClockStopped() {
        call_.thought_ns_ += std::chrono::nanoseconds(Clock::now() - start_).count();
        --call_.asking_;
    }
    ClockStopped(const ClockStopped&) = delete;
    ClockStopped& operator=(const ClockStopped&) = delete;

private:
    RunningCall& call_;
    const Clock::time_point start_ = Clock::now();
};

void RunningCall::emit(std::string_view use_id, std::string_view kind, std::string_view json) {
    const bool fits = kind.size() <= kMaxEmitKindBytes && json.size() <= kMaxEmitBytes;
    const auto allowed = fits ? to_emit_.take(json.size()) : Allowance::Answer::granted;
    if (!fits)
        log(TOOL_LOG_WARN, "dropped an event of the tool: it has " + std::to_string(json.size()) +
                               " bytes, and " + std::to_string(kMaxEmitBytes) + " are allowed");
    if (allowed == Allowance::Answer::used_up)
        log(TOOL_LOG_WARN, "the tool streamed more than " + std::to_string(kMaxEmittedBytes) +
                               " bytes; the rest is dropped");
    if (!fits || allowed != Allowance::Answer::granted) return;
    SharedLock lock(mutex_);
    if (open_ && observer) observer->emit(use_id, kind, json);
}

bool RunningCall::cancelled() const {
    return !open_ || stop.cancel.stop_requested() || stop.abandon.stop_requested();
}

void RunningCall::log(int level, std::string_view message) {
    SharedLock lock(mutex_);
    if (!open_ || !observer) return;
    switch (to_log_.take(std::min(message.size(), kMaxLogLineBytes))) {
        case Allowance::Answer::granted:
            return observer->log(level, cut_text(message, kMaxLogLineBytes));
        case Allowance::Answer::used_up:
            return observer->log(TOOL_LOG_WARN, "the tool logged more than " +
                                                    std::to_string(kMaxLoggedBytes) +
                                                    " bytes; the rest is dropped");
        case Allowance::Answer::used_up_before:
            return;
    }
}

void RunningCall::close() {
    open_ = false;
    end_nested();  // a nested call must not keep this one waiting
    mutex_.lock();
    mutex_.unlock();
}

std::optional<std::stop_source> RunningCall::open_nested() {
    const MutexLock lock(nested_mutex_);
    if (!open_) return std::nullopt;
    if (!nested_stop_.stop_possible()) nested_stop_ = std::stop_source();
    return nested_stop_;
}

// The callbacks of the token run without the lock.
void RunningCall::end_nested() {
    std::stop_source nested(std::nostopstate);
    {
        const MutexLock lock(nested_mutex_);
        nested = nested_stop_;
    }
    nested.request_stop();
}

os::Deadline RunningCall::deadline() const {
    if (asking_ > 0 || !end_) return std::nullopt;
    return *end_ + std::chrono::nanoseconds(thought_ns_);
}

std::optional<Answer> RunningCall::ask(const Question& question) {
    if (!open_ || !observer) return std::nullopt;
    ClockStopped stopped(*this);
    return observer->ask(question);
}

std::optional<ConsentAnswer> RunningCall::consent(const ConsentQuestion& question) {
    if (!open_ || !observer) return std::nullopt;
    ClockStopped stopped(*this);
    return observer->consent(question);
}

bool RunningCall::client_can(std::string_view kind) const {
    SharedLock lock(mutex_);
    return open_ && observer && observer->client_can(kind);
}

std::pair<tool_status, std::string> RunningCall::call_tool(std::string_view reference,
                                                           std::string_view input_json) {
    ToolUse nested;
    nested.reference = reference.substr(0, kMaxReferenceBytes);
    nested.use_id = use.use_id + '.' + std::to_string(++nested_);
    nested.state = use.state;
    nested.caller = use.caller;
    nested.answers = use.answers;
    nested.attempt = use.attempt;
    nested.principal = use.principal;
    auto refused = [&](ErrorCode code, std::string why) {
        return std::pair(tool_status{TOOL_FAILED},
                         error_result(nested.use_id, {code, why, {}}).text());
    };
    if (reference.size() > kMaxReferenceBytes)
        return refused(ErrorCode::unknown_tool,
                       "no tool has a name of " + std::to_string(reference.size()) + " bytes");
    auto parsed = parse_json(input_json, {.bytes = loading::kMaxReplyBytes});
    if (!parsed && parsed.error().kind == JsonFault::Kind::too_large)
        return refused(ErrorCode::input_too_large,
                       "the input of '" + nested.reference + "': " + parsed.error().message);
    if (!parsed)
        return refused(ErrorCode::invalid_input, "the input of '" + nested.reference +
                                                     "' is not JSON: " + parsed.error().message);
    nested.input = *std::move(parsed);
    // Held all along, so that the invoker stays while it is used; close() ends the nested call
    // first.
    SharedLock lock(mutex_);
    auto nested_stop = open_nested();
    if (!nested_stop) return refused(ErrorCode::cancelled, "the outer call has ended");
    std::stop_callback abandoned(stop.abandon, [&nested_stop] { nested_stop->request_stop(); });
    const auto self = shared_from_this();
    Lineage within{lineage.chain, use.use_id, lineage.callers, self, lineage.consents};
    within.callers.push_back({tool, ready});
    auto result = invoker_.call(std::move(nested), self, {stop.cancel, nested_stop->get_token()},
                                std::move(within));
    tool_status status = result.ok() ? TOOL_OK : TOOL_FAILED;
    if (!result.ok() && result.error->code == ErrorCode::interrupted) {
        for (const auto& question : result.error->details.at("interrupts")) add_pending(question);
        status = TOOL_INTERRUPTED;
    }
    if (!result.ok() && result.error->code == ErrorCode::consent_required && consent_later() &&
        result.error->details.contains("question")) {
        add_pending(result.error->details["question"]);
        status = TOOL_INTERRUPTED;
    }
    return {status, result.text()};
}

// The same question of the same tool with the same callers about the same input has the same id at
// every attempt, also in another process. Requests without a session are answered by id alone, so
// the id is the whole digest: no plugin can find a question that shares the id of another's.
std::string RunningCall::question_id(std::string_view kind, std::string_view name,
                                     const Json& reason) const {
    os::ContentHash hash;
    for (const auto& part : {lineage.scope_of(*ready), use.input_text, std::string(name),
                             dump(reason), std::string(kind)}) {
        hash.add(std::to_string(part.size()) + ':');
        hash.add(part);
    }
    return "ask-" + hash.hex();
}

std::pair<tool_status, std::string> RunningCall::interrupt(std::string_view name,
                                                           std::string_view reason_json) {
    if (name == kConsent && consent_) return {TOOL_OK, dump(Json(*consent_))};
    if (!may_ask(name, reason_json.size(), kMaxQuestionBytes)) return {TOOL_BAD_INPUT, ""};
    auto reason = parse_json(reason_json);
    return answer(kHuman, name, reason ? *std::move(reason) : Json(std::string(reason_json)));
}

bool RunningCall::may_ask(std::string_view name, std::size_t bytes, std::size_t most_bytes) {
    const bool fits = name.size() <= kMaxQuestionNameBytes && bytes <= most_bytes;
    if (!fits)
        log(TOOL_LOG_WARN, "refused a question of the tool: it has " +
                               std::to_string(name.size() + bytes) + " bytes, and " +
                               std::to_string(most_bytes) + " are allowed");
    return fits && ++questions_ <= kMaxQuestions;
}

std::pair<tool_status, std::string> RunningCall::ask_client(std::string_view kind,
                                                            std::string_view params_json) {
    if (!may_ask(kind, params_json.size(), kMaxClientRequestBytes)) return {TOOL_BAD_INPUT, ""};
    auto params = parse_json(params_json);
    if (!params || !params->is_object()) return {TOOL_BAD_INPUT, ""};
    const bool known = kind == "sampling" || kind == "roots";  // the others are not for a tool
    if (known && client_can(kind)) return answer(kind, kind, *std::move(params));
    note_unanswered().unsupported = std::string(kind);
    return {TOOL_UNSUPPORTED, ""};
}

std::pair<tool_status, std::string> RunningCall::answer(std::string_view kind,
                                                        std::string_view name, Json reason) {
    std::string id = question_id(kind, name, reason);
    if (kind == kHuman && name == kConsent) {  // to one call, not to all that are alike
        auto numbered = lineage.consents->number(id);
        if (!numbered) return {TOOL_DENIED, ""};
        id = *std::move(numbered);
    }
    const std::string asked_by = describe_call(*tool, lineage.callers);
    std::optional<Answer> given;
    if (auto it = use.answers.find(id); it != use.answers.end()) {
        given = it->second;
    } else {
        given = ask({id, ready->label, name, reason, kind, asked_by});
    }
    if (!given) {
        Json question{
            {"id", id}, {"name", name}, {"reason", std::move(reason)}, {"askedBy", asked_by}};
        if (kind != kHuman) question["kind"] = kind;
        add_pending(question);
        return {TOOL_INTERRUPTED, ""};
    }
    if (given->status == TOOL_OK) return {TOOL_OK, dump(given->value)};
    const bool declined = given->status == TOOL_DENIED;
    auto& noted = note_unanswered();
    (declined ? noted.declined : noted.dismissed) = std::string(name);
    return {declined ? TOOL_DENIED : TOOL_CANCELLED, ""};
}

Unanswered& RunningCall::note_unanswered() {
    if (!unanswered_) unanswered_ = std::make_unique<Unanswered>();
    return *unanswered_;
}

// What finds no place is asked again in the next round.
void RunningCall::add_pending(const Json& question) {
    auto& pending = note_unanswered().pending;
    for (const auto& other : pending)
        if (other.at("id") == question.at("id")) return;
    pending_bytes_ += dump(question).size();
    if (pending.size() < kMaxPending && pending_bytes_ <= kMaxPendingBytes)
        pending.push_back(question);
}

}  // namespace toolhost::call
