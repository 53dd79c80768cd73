// The nine steps of a call.
#include "host/base/json_text.hpp"
#include "host/call/bounds.hpp"
#include "host/call/checks.hpp"
#include "host/call/consent.hpp"
#include "host/call/denial.hpp"
#include "host/call/invoker_call.hpp"
#include "host/call/nested_tools.hpp"
#include "host/call/outcome.hpp"
#include "host/call/output_checks.hpp"
#include "host/call/tool_confinement.hpp"

namespace toolhost::call {
namespace {

using Clock = std::chrono::steady_clock;

// A bug in a step costs its call, not the host.
template <class Step>
auto guarded(Step step) -> decltype(step()) {
    try {
        return step();
    } catch (const std::exception& e) {
        return Error{ErrorCode::internal, std::string("internal error: ") + e.what(), {}};
    }
}

Error cancelled_call() {
    return {ErrorCode::cancelled, "the call was cancelled", {}};
}

Result<const registry::Tool*> resolve(const registry::Catalogue& catalogue, const ToolUse& use) {
    if (use.offered_by.empty()) return catalogue.resolve(use.reference);
    if (const auto* hidden = catalogue.find_hidden(use.offered_by, use.reference)) return hidden;
    return Error{
        ErrorCode::unknown_tool, use.offered_by + " does not provide " + use.reference, {}};
}

}  // namespace

bool Invoker::is_prepared(Call& call) {
    const auto ok = guarded([&] { return prepare(call); });
    if (!ok) finish(call, ok.error());
    return ok.has_value();
}

// Steps 1 to 6. Whatever refuses ends the call with its error.
Result<void> Invoker::prepare(Call& call) {
    call.view = view();
    auto resolved = resolve(call.view->catalogue(), call.use);  // 1
    if (resolved) call.tool = *resolved;
    if (call.use.input_text.empty()) {
        call.use.input_text = dump(call.use.input);
        call.use.is_canonical = true;
    }
    tell_before(call, resolved.has_value());
    if (!resolved) return resolved.error();
    return check_before_run(call);
}

void Invoker::tell_before(Call& call, bool judged) {
    if (!call.tool)
        call.no_tool =
            std::make_unique<Subject>(cut_text(call.use.reference, kMaxReferenceBytes), "",
                                      call.view ? call.view->profile().name() : profile_name());
    call.identity = {call.use.use_id, call.lineage.parent_use_id, call.use.principal,
                     call.tool ? &call.view->subject(*call.tool) : call.no_tool.get()};
    std::string_view shown = "null";  // what cannot be redacted is not shown
    std::optional<std::string> redacted;
    if (call.view && events_.wants_input()) {
        redacted = call.view->redaction().of(call.use.input);
        shown = redacted ? *redacted : call.use.input_text;
    }
    events_.tool_before(call.identity, shown, judged);
    call.told = true;
}

Result<void> Invoker::check_before_run(Call& call) {
    const auto& tool = *call.tool;
    if (auto ok = check_allowed(*call.view, tool); !ok) return ok;  // 2
    if (auto ok = check_usable(*call.view, tool); !ok) return ok;   // 3
    auto ready = call.view->ready(tool);
    if (!ready) return ready.error();
    call.ready = *ready;
    if (auto ok = check_caller(*call.view, tool, *call.ready, call.lineage); !ok) return ok;
    if (auto ok = check_granted(*call.view, tool, *call.ready); !ok) return ok;
    if (auto ok = check_lineage(call); !ok) return ok;
    if (auto ok = check_policy(*call.view, tool, *call.ready, call.use.principal,
                               call.use.input_text.size());
        !ok)  // 4
        return ok;
    // As long as the tool will have: the clock that counts for it starts later.
    const schema::EvaluationLimits evaluation{call.deadline_from(call.start), call.stop.cancel,
                                              call.stop.abandon};
    if (auto ok = check_input(*call.ready, tool, call.use, evaluation); !ok)  // 5
        return ok;
    if (call.unwanted()) return cancelled_call();
    auto consent = check_consent(call, bypass_consent_ || call.use.consented);  // 6
    // A missing answer because the caller left does not count as a refusal.
    return !consent && call.unwanted() ? cancelled_call() : consent;
}

// Tools may call tools, but neither themselves nor without end.
Result<void> Invoker::check_lineage(const Call& call) const {
    const auto& around = call.lineage.callers;
    auto refusal = [&](const char* reason, std::string message) {
        Json path = Json::array();
        for (const auto& caller : around) path.push_back(caller.ready->label);
        path.push_back(call.ready->label);
        return Error{ErrorCode::call_depth_exceeded,
                     std::move(message),
                     {{"reason", reason}, {"path", std::move(path)}}};
    };
    if (std::any_of(around.begin(), around.end(), [&](const Caller& caller) {
            return caller.ready->tool_state == call.ready->tool_state;
        }))
        return refusal("cycle", "tool '" + call.tool->spec.name +
                                    "' would call itself, directly or through other tools");
    if (around.size() > kMaxDepth)
        return refusal("depth", "nested calls exceed " + std::to_string(kMaxDepth) + " levels");
    return {};
}

// Step 7: waits for a place among those that run at once.
Result<void> Invoker::take_place(Call& call, const os::Deadline& deadline) {
    const auto at_once = call.ready->limits.max_concurrent;
    if (at_once > 0)
        call.place = call.ready->tool_state->throttle.enter(call.use.principal, at_once, deadline,
                                                            call.stop.cancel);
    if (call.unwanted()) return cancelled_call();
    if (at_once == 0 || call.place) return {};
    return too_many_at_once(*call.view, *call.tool, at_once);
}

// Step 7: the plugin runs, under its deadline.
void Invoker::run(const CallPtr& call, Wait wait) {
    const auto& limits = call->ready->limits;
    // Waiting for consent did not count; from here on the clock runs.
    const os::Deadline end = call->deadline_from(Clock::now());
    if (auto ok = take_place(*call, end); !ok) return finish(*call, ok.error());

    call->begin(end, standing_consent(*call->view, bypass_consent_ || call->use.consented));
    call->entered = true;
    const runtime::PlacedInvocation invocation{
        {call->tool->spec.name, call->use.use_id, call->use.input_text, call->ready->policy,
         call->use.state.empty() ? "{}" : std::string_view(call->use.state), call->use.attempt,
         call->lineage.chain, static_cast<std::uint32_t>(call->lineage.callers.size()),
         call->identity.subject->version, call->use.caller, call->use.principal},
        limits.isolation,
        limits.sandbox,
        &call->ready->worker_config,
        call->ready->slot.get(),
        !call->tool->spec.needs.tools.empty()};
    const auto& library = *call->tool->library;
    if (wait == Wait::if_not_posted && runtime_.try_post(library, invocation, call, call->stop))
        return;
    runtime_.invoke(library, invocation, call, call->stop);
}

void Invoker::Call::ended(const Result<loading::Outcome>& outcome) {
    close();
    invoker().finish(*this, guarded([&] { return invoker().conclude(*this, outcome); }));
}

// A tool may have failed because it lacked a grant: say how to grant it.
Error Invoker::with_hints(const Call& call, Error error) const {
    const bool failed =
        error.code == ErrorCode::tool_failed || error.code == ErrorCode::plugin_crashed;
    const auto& limits = call.ready->limits;
    if (failed && limits.isolation == runtime::Isolation::process &&
        limits.sandbox != sandbox::Enforcement::off)
        add_grant_hints(error, call.tool->spec, call.view->profile(), call.ready->granted);
    return error;
}

// Steps 8 and 9: what came back, checked and made a result.
Result<ToolResult> Invoker::conclude(Call& call, const Result<loading::Outcome>& outcome) {
    // A reply after the cancellation is discarded.
    if (outcome && call.unwanted()) return cancelled_call();
    // A cancelled call that then reaches its timeout ends as cancelled.
    if (!outcome && outcome.error().code == ErrorCode::timeout && call.unwanted())
        return Error{
            ErrorCode::cancelled, "the call was cancelled: " + outcome.error().message, {}};
    const auto timeout_ms = call.timeout_ms();
    if (!outcome && outcome.error().code == ErrorCode::timeout)
        return Error{ErrorCode::timeout,
                     "tool '" + call.tool->spec.name + "' timed out (timeoutMs " +
                         std::to_string(timeout_ms) + "): " + outcome.error().message,
                     {{"timeoutMs", timeout_ms}}};
    if (!outcome) return with_hints(call, outcome.error());
    call.output_bytes = outcome->content.size();
    auto content = judge_outcome(*outcome, call.unanswered());
    if (!content) return with_hints(call, content.error());
    const schema::EvaluationLimits evaluation{call.deadline(), call.stop.cancel, call.stop.abandon};
    if (auto ok = check_output(*call.ready, *content, evaluation); !ok) return ok.error();  // 8
    std::optional<Truncation> truncated;
    const auto& limits = call.ready->limits;
    if (call.output_bytes > std::min(limits.max_output_chars, limits.max_output_bytes)) {
        // else it fits, surely
        auto limited = limit_output(*call.ready, *content);
        if (!limited) return limited.error();
        truncated = *limited;
    }
    return ToolResult{call.use.use_id, *std::move(content), std::nullopt, truncated};  // 9
}

// The only exit of a call: counts it, writes its last event, delivers its result.
void Invoker::finish(Call& call, Result<ToolResult> result) {
    const auto duration = Clock::now() - call.start;
    std::optional<Error> error = result ? std::nullopt : std::optional(result.error());
    if (error) bound_error(*error);
    const Error* failure = error ? &*error : nullptr;
    const std::string denial = error ? denial_reason(*error) : std::string();
    if (!call.told) tell_before(call, false);  // it did not even get that far
    if (!denial.empty()) events_.policy_deny(call.identity, denial, *error);
    if (!call.trusted_files.empty())
        events_.trusted_files_appeared(call.identity, call.trusted_files);
    using std::chrono::duration_cast;
    events_.tool_after(
        call.identity, failure, duration_cast<std::chrono::microseconds>(duration).count(),
        call.output_bytes, call.entered ? call.ready->ran_fields : std::string_view());
    if (call.tool) {
        const auto& tool_state =
            call.ready ? call.ready->tool_state : tool_states_->of(ToolKey::of(call.tool->spec));
        tool_state->stats.count(
            failure, denial,
            static_cast<std::uint64_t>(duration_cast<std::chrono::nanoseconds>(duration).count()));
    }
    call.place = {};
    if (result)
        call.deliver(*std::move(result));
    else
        call.deliver(error_result(call.use.use_id, *std::move(error)));
}

}  // namespace toolhost::call
