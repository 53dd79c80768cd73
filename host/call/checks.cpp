#include "host/call/checks.hpp"

#include "host/base/json_text.hpp"
#include "host/call/denial.hpp"
#include "host/call/tool_confinement.hpp"
#include "host/schema/coerce.hpp"
#include "host/schema/defaults.hpp"

namespace toolhost::call {
namespace {

using registry::Tool;

std::string joined(const std::vector<std::string>& sentences) {
    std::string out;
    for (const auto& sentence : sentences) out += (out.empty() ? "" : "; ") + sentence;
    return out;
}

// "profile 'ci' (shipped:ci.yml:12:5)": which rule it was.
std::string rule(const View& view, const Tool& tool, const char* limit) {
    auto origin = view.profile().origin(tool.spec, limit);
    return "profile '" + view.profile().name() + "'" +
           (origin.empty() ? "" : " (" + std::string(limit) + ", " + origin + ')');
}

}  // namespace

Result<void> check_allowed(const View& view, const Tool& tool) {
    if (view.allowlist().allows(tool)) return {};
    return deny(Denial::tool_not_allowed,
                "tool '" + tool.spec.name + "' is not allowed: " + view.allowlist().rule(tool),
                {{"profile", view.profile().name()}});
}

Result<void> check_usable(const View& view, const Tool& tool) {
    if (!tool.requirements_hold()) {
        const auto missing = tool.all_missing();
        return Error{ErrorCode::requirement_missing,
                     "tool '" + tool.spec.name + "' cannot run: " + joined(missing),
                     {{"missing", missing}}};
    }
    if (tool.spec.deprecated && !view.allowlist().widened(tool)) {
        const auto reference = "native:" + tool.spec.name + '@' + tool.spec.version.text();
        return Error{ErrorCode::tool_deprecated,
                     "tool '" + tool.spec.name + "' " + tool.spec.version.text() +
                         " is deprecated" +
                         (tool.spec.deprecated->empty() ? "" : ": " + *tool.spec.deprecated) +
                         "; TOOLHOST_ALLOW=" + reference + " allows it to be called anyway",
                     {}};
    }
    return {};
}

Result<void> check_granted(const View& view, const Tool& tool, const ReadyTool& ready) {
    const auto& missing = ready.granted.missing;
    if (missing.empty()) return {};
    const auto hints = grant_hints(tool.spec, view.profile(), missing);
    return deny(Denial::grant_missing, "tool '" + tool.spec.name + "' " + joined(hints),
                {{"missing", missing}, {"hints", hints}});
}

Result<void> check_policy(const View& view, const Tool& tool, const ReadyTool& ready,
                          const std::string& principal, std::size_t input_bytes) {
    if (ready.refusal) return *ready.refusal;
    const auto& limits = ready.limits;
    if (input_bytes > limits.max_input_bytes)
        return Error{ErrorCode::input_too_large,
                     "the input of tool '" + tool.spec.name + "' has " +
                         std::to_string(input_bytes) + " bytes; " +
                         rule(view, tool, "maxInputBytes") + " allows " +
                         std::to_string(limits.max_input_bytes),
                     {{"bytes", input_bytes}, {"allowed", limits.max_input_bytes}}};
    if (!limits.rate_limit) return {};
    const auto wait = ready.tool_state->throttle.admit(principal, *limits.rate_limit,
                                                       std::chrono::steady_clock::now());
    if (wait == 0) return {};
    return deny(Denial::rate_limit,
                "tool '" + tool.spec.name +
                    "' was called too often: " + rule(view, tool, "rateLimit") + " allows " +
                    std::to_string(limits.rate_limit->calls) + " calls in " +
                    std::to_string(limits.rate_limit->window_ms) + " ms; try again in " +
                    std::to_string(wait) + " ms",
                {{"retryAfterMs", wait}});
}

Error too_many_at_once(const View& view, const Tool& tool, std::uint32_t allowed) {
    return deny(Denial::max_concurrent, "too many concurrent calls of tool '" + tool.spec.name +
                                            "': " + rule(view, tool, "maxConcurrent") + " allows " +
                                            std::to_string(allowed));
}

Error call_ended(const ReadyTool& ready, const schema::EvaluationLimits& limits,
                 const char* unchecked) {
    if (limits.cancel.stop_requested() || limits.abandon.stop_requested())
        return {ErrorCode::cancelled, "the call was cancelled", {}};
    const auto timeout_ms = ready.limits.timeout_ms;
    return {ErrorCode::timeout,
            "the call timed out before its " + std::string(unchecked) +
                " was validated (timeoutMs " + std::to_string(timeout_ms) + ')',
            {{"timeoutMs", timeout_ms}}};
}

Result<void> check_input(const ReadyTool& ready, const Tool& tool, ToolUse& use,
                         const schema::EvaluationLimits& limits) {
    Json& input = use.input;
    bool is_changed = ready.limits.coerce_input &&
                      !schema::coerce(tool.spec.input_schema(), input, &limits).empty();
    if (ready.has_defaults && input.is_object()) {
        const auto filled = schema::fill_defaults(tool.spec.input_schema(), input, &limits);
        if (!filled && limits.reached()) return call_ended(ready, limits, "input");
        if (!filled)
            return Error{ErrorCode::input_too_large,
                         "the input of tool '" + tool.spec.name +
                             "' is too large with the defaults of its schema, which may add at "
                             "most " +
                             std::to_string(schema::kMaxDefaultBytes) + " bytes",
                         {{"allowed", schema::kMaxDefaultBytes}}};
        is_changed |= *filled > 0;
    }
    auto issues = ready.input.validate(input, kMaxIssues, &limits);
    if (issues.empty()) {
        if (is_changed || !use.is_canonical) use.input_text = dump(input);
        return {};
    }
    if (issues.front().keyword == schema::kStoppedKeyword)
        return call_ended(ready, limits, "input");
    Json details = Json::array();
    std::vector<std::string> sentences;
    for (auto& issue : issues) {
        sentences.push_back(issue.message);
        details.push_back(std::move(issue.details));
    }
    return Error{ErrorCode::invalid_input,
                 "input of tool '" + tool.spec.name + "' is not valid: " + joined(sentences),
                 {{"tool", tool.spec.name}, {"issues", std::move(details)}}};
}

}  // namespace toolhost::call
