#include "host/call/invoker.hpp"

#include "host/call/content.hpp"
#include "host/call/running_call.hpp"
#include "host/registry/json_text.hpp"

namespace toolhost::call {
namespace {

using registry::Tool;
using runtime::Outcome;

std::string joined(const std::vector<std::string>& sentences) {
    std::string out;
    for (const auto& sentence : sentences) out += (out.empty() ? "" : "; ") + sentence;
    return out;
}

// Step 2: the allowlist.
Result<void> check_allowed(const View& view, const Tool& tool) {
    if (view.allowlist().allows(tool)) return {};
    return Error{
        ErrorCode::tool_not_allowed, "tool '" + tool.spec.name + "' is not on the allowlist", {}};
}

// Step 3: deprecation and requirements.
Result<void> check_usable(const View& view, const Tool& tool) {
    if (!tool.requirements_hold()) {
        const auto missing = tool.all_missing();
        return Error{ErrorCode::requirement_missing,
                     "tool '" + tool.spec.name + "' cannot run here: " + joined(missing),
                     {{"missing", missing}}};
    }
    if (tool.spec.deprecated && !view.allowlist().widened(tool)) {
        const auto reference = "native:" + tool.spec.name + '@' + tool.spec.version.text();
        return Error{ErrorCode::tool_deprecated,
                     "tool '" + tool.spec.name + "' " + tool.spec.version.text() +
                         " is deprecated" +
                         (tool.spec.deprecated->empty() ? "" : ": " + *tool.spec.deprecated) +
                         "; TOOLHOST_ALLOW=" + reference + " lets it be called all the same",
                     {}};
    }
    return {};
}

// Step 5: the input, defaults filled, against inputSchema.
Result<void> check_input(const CompiledTool& compiled, const Tool& tool, Json& input) {
    if (input.is_object()) schema::fill_defaults(tool.spec.input_schema(), input);
    auto issues = compiled.input.validate(input);
    if (issues.empty()) return {};
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

// Step 6: a human's consent.
Result<void> check_consent(const Tool& tool, bool bypass) {
    if (!tool.spec.requires_consent || bypass) return {};
    return Error{ErrorCode::consent_required,
                 "tool '" + tool.spec.name +
                     "' needs consent; set BYPASS_TOOL_CONSENT=true to give it for all tools",
                 {}};
}

Error said_by_tool(ErrorCode code, const std::optional<Outcome::Text>& text, const char* silence,
                   const char* key) {
    if (!text) return {code, silence, {}};
    return {code, text->message.empty() ? silence : text->message, {{key, text->key}}};
}

// What the plugin returned and left behind, judged by the ABI's rules.
Result<Json> judge(const Outcome& outcome, const std::optional<Json>& interrupt) {
    switch (outcome.status) {
        case TOOL_OK:
            if (outcome.replies == 1) return parse_content(outcome.content);
            return Error{ErrorCode::invalid_reply,
                         outcome.replies == 0 ? "the tool returned TOOL_OK without a reply"
                                              : "the tool replied more than once",
                         {}};
        case TOOL_FAILED:
            return said_by_tool(ErrorCode::tool_failed, outcome.failure,
                                "the tool failed and did not say why", "code");
        case TOOL_BAD_INPUT:
            return said_by_tool(ErrorCode::invalid_input, outcome.failure,
                                "the tool does not accept this input and did not say why", "code");
        case TOOL_DENIED:
            return said_by_tool(ErrorCode::policy_denied, outcome.denial,
                                "the tool's policy forbids it and it did not say why", "reason");
        case TOOL_CANCELLED:
            return Error{ErrorCode::cancelled, "the call was cancelled", {}};
        case TOOL_UNSUPPORTED:
            return Error{
                ErrorCode::tool_failed, "the tool's library does not support this call", {}};
        case TOOL_INTERRUPTED:
            if (interrupt)
                return Error{
                    ErrorCode::interrupted,
                    "the tool waits for a human's answer to '" + interrupt->value("name", "") + "'",
                    {{"interrupt", *interrupt}}};
            return Error{ErrorCode::invalid_reply,
                         "the tool returned TOOL_INTERRUPTED without asking anything",
                         {}};
        default:
            return Error{ErrorCode::invalid_reply,
                         "the tool returned the unknown status " + std::to_string(outcome.status),
                         {}};
    }
}

// Step 8: the answer against outputSchema.
Result<void> check_output(const CompiledTool& compiled, const Json& content) {
    if (!compiled.output) return {};
    const Json* value = json_block(content);
    if (!value)
        return Error{ErrorCode::invalid_output,
                     "the tool promises an output by outputSchema, but gave no json block",
                     {{"output", content}}};
    auto issues = compiled.output->validate(*value, 1);
    if (issues.empty()) return {};
    return Error{ErrorCode::invalid_output,
                 "the tool's output does not fit its outputSchema: " + issues[0].message,
                 {{"issue", issues[0].details}, {"output", *value}}};
}

}  // namespace

Invoker::Invoker(const registry::Registry& registry, runtime::Runtime& runtime,
                 InvokerOptions options)
    : registry_(registry), runtime_(runtime), options_(std::move(options)) {}

std::shared_ptr<const View> Invoker::view() {
    auto catalogue = registry_.snapshot();
    auto view = view_.load();
    if (view && view->snapshot() == catalogue) return view;
    // Two threads may both make it; either will do.
    view = std::make_shared<const View>(std::move(catalogue), options_.widened);
    view_.store(view);
    return view;
}

ToolResult Invoker::call(const ToolUse& request, const Watch& watch, int depth) {
    ToolUse use = request;
    if (use.use_id.empty()) use.use_id = "tooluse-" + std::to_string(++calls_);
    auto content = run_steps(use, watch, depth);
    if (!content) return error_result(use.use_id, content.error());
    return {use.use_id, *std::move(content), std::nullopt};
}

Result<Json> Invoker::run_steps(ToolUse& use, const Watch& watch, int depth) {
    if (depth > kMaxDepth)
        return Error{ErrorCode::call_depth_exceeded,
                     "tools called tools more than " + std::to_string(kMaxDepth) + " deep",
                     {}};
    auto seen = view();  // kept to the end: the call runs with what it started with
    auto resolved = seen->catalogue().resolve(use.reference);
    if (!resolved) return resolved.error();
    const Tool& tool = **resolved;
    if (auto ok = check_allowed(*seen, tool); !ok) return ok.error();
    if (auto ok = check_usable(*seen, tool); !ok) return ok.error();
    auto compiled = seen->compiled(tool);
    if (!compiled) return compiled.error();
    const CompiledTool& ready = **compiled;
    if (auto ok = check_input(ready, tool, use.input); !ok) return ok.error();
    if (auto ok = check_consent(tool, options_.bypass_consent); !ok) return ok.error();

    const std::string input = dump(use.input), state = dump(use.state);
    RunningCall running(*this, use, watch, depth);
    auto outcome = runtime_.invoke(*tool.library,
                                   {tool.spec.name, use.use_id, input, ready.policy, state,
                                    use.attempt, tool.spec.timeout_ms.value_or(-1)},
                                   running);
    if (!outcome) return outcome.error();
    auto content = judge(*outcome, running.pending_interrupt());
    if (!content) return content.error();
    if (auto ok = check_output(ready, *content); !ok) return ok.error();
    return content;
}

}  // namespace toolhost::call
