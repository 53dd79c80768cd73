#include "host/call/running_call.hpp"

#include "host/call/invoker.hpp"
#include "host/registry/json_text.hpp"

namespace toolhost::call {

void RunningCall::emit(std::string_view kind, std::string_view json) {
    if (watch_.emit) watch_.emit(kind, json);
}

bool RunningCall::cancelled() const {
    return watch_.cancelled && watch_.cancelled();
}

void RunningCall::log(int level, std::string_view message) {
    if (watch_.log) watch_.log(level, message);
}

std::pair<bool, std::string> RunningCall::call_tool(std::string_view reference,
                                                    std::string_view input) {
    ToolUse nested;
    nested.reference = reference;
    nested.use_id = use_.use_id + '.' + std::to_string(++nested_);
    nested.state = use_.state;
    ToolResult result;
    if (auto parsed = parse_json(input); parsed) {
        nested.input = *std::move(parsed);
        result = invoker_.call(nested, watch_, depth_ + 1);
    } else {
        result = error_result(nested.use_id, {ErrorCode::invalid_input,
                                              "the input of '" + nested.reference +
                                                  "' is not JSON: " + parsed.error().message,
                                              {}});
    }
    return {result.ok(), dump(result.json())};
}

std::optional<std::string> RunningCall::interrupt(std::string_view name,
                                                  std::string_view reason_json) {
    // The same question of the same call has the same id at every attempt.
    const std::string id = use_.use_id + ':' + std::string(name);
    if (auto it = use_.answers.find(id); it != use_.answers.end()) return dump(it->second);
    auto reason = parse_json(reason_json);
    Json shown = reason ? *std::move(reason) : Json(std::string(reason_json));
    if (watch_.ask)
        if (auto answer = watch_.ask(name, shown)) return dump(*answer);
    pending_ = Json{{"id", id}, {"name", name}, {"reason", std::move(shown)}};
    return std::nullopt;
}

}  // namespace toolhost::call
