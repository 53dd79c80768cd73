#include "host/serve/tool_call_request.hpp"

#include "host/base/json_text.hpp"
#include "host/serve/questions.hpp"
#include "host/serve/server.hpp"
#include "toolhost/free_json.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kStateKey = "toolhost/state";
// It goes along with every call within the call.
constexpr std::size_t kMaxStateBytes = 64u << 10;

// The client's invocation state as JSON text, which its tools can read; empty: none.
boost::system::result<std::string, RpcError> state_of(const Request& request) {
    const auto meta = request.params().find("_meta");
    if (meta == request.params().end() || !meta->is_object()) return std::string();
    const auto state = meta->find(kStateKey);
    if (state == meta->end()) return std::string();
    const auto refusal = [](const std::string& must) {
        return RpcError{rpc_code::kInvalidParams,
                        std::string("Invalid params: /_meta/") + kStateKey + " must " + must};
    };
    if (!state->is_object()) return refusal("be an object");
    auto text = dump(*state);
    if (text.size() > kMaxStateBytes)
        return refusal("have at most " + std::to_string(kMaxStateBytes) + " bytes");
    return text;
}

Json asked_of(const call::Question& question) {
    return {{"id", question.id},
            {"name", question.name},
            {"reason", question.reason},
            {"kind", question.kind},
            {"askedBy", question.asked_by}};
}

}  // namespace

void ToolCallRequest::start(call::ToolUse use) {
    auto invoker = admit(use);
    if (!invoker) return request_->fail(invoker.error());
    logger_ = use.reference;
    (*invoker)->start(std::move(use), shared_from_this(), {request_->stop(), {}});
}

// Completes `use`, and takes a place among the running calls.
boost::system::result<call::Invoker*, RpcError> ToolCallRequest::admit(call::ToolUse& use) {
    auto& server = request_->server();
    const auto& principal = request_->session()->principal();
    auto state = state_of(*request_);
    if (!state) return state.error();
    auto invoker = request_->session()->invoker(server.options().invoker);
    if (!invoker)
        return RpcError{rpc_code::kInternal, invoker.error().message, to_json(invoker.error())};
    if (auto why = server.enter_call(principal, request_->in_time()))
        return RpcError{rpc_code::kBusy, *std::move(why)};
    // Last: a state is used up by it, and a request that is refused above can be sent again.
    auto round = open_round(*request_);
    if (!round) {
        server.leave_call(principal);
        return round.error();
    }
    round_ = *std::move(round);
    use.state = *std::move(state);
    use.attempt = round_.attempt;
    use.answers = round_.answers;
    use.principal = principal.name;
    use.caller = request_->caller();
    return *invoker;
}

void ToolCallRequest::emit(std::string_view, std::string_view kind, std::string_view json) {
    auto value = parse_json(json);
    const Json data = value ? *std::move(value) : Json(std::string(json));
    if (kind == "progress") return tell_progress(data);
    if (kind == "resource_updated" && data.is_object() && data.contains("uri") &&
        data["uri"].is_string())
        return request_->server().listeners().resource_updated(
            data["uri"].get_ref<const std::string&>());
    tell(LogLevel::info, {{"kind", kind}, {"data", data}});
}

void ToolCallRequest::log(int level, std::string_view message) {
    tell(log_level_of(level), message);
}

void ToolCallRequest::tell(LogLevel level, Json data) {
    const auto least = request_->client().log_level;
    if (!least || level < *least) return;
    request_->notify("notifications/message",
                     {{"level", name_of(level)}, {"logger", logger_}, {"data", std::move(data)}});
}

// Progress must grow; what does not is not news.
void ToolCallRequest::tell_progress(const Json& data) {
    const auto& params = request_->params();
    const auto meta = params.find("_meta");
    if (meta == params.end() || !meta->is_object() || !meta->contains("progressToken")) return;
    MutexLock lock(mutex_);  // held while sending: the client sees them in order
    const Json number = data.is_object() ? data.value("progress", Json()) : Json();
    const double progress = number.is_number() ? number.get<double>() : progress_ + 1;
    if (progress <= progress_) return;
    progress_ = progress;
    Json told{{"progressToken", meta->at("progressToken")}, {"progress", number}};
    if (!number.is_number()) told["progress"] = progress;
    for (const char* key : {"total", "message"})
        if (data.is_object() && data.contains(key)) told[key] = data[key];
    request_->notify("notifications/progress", told);
}

bool ToolCallRequest::client_can(std::string_view kind) const {
    return request_->client().can(std::string(kind).c_str());
}

std::optional<call::Answer> ToolCallRequest::ask(const call::Question& question) {
    if (!request_->stateless()) return ask_session(question);
    if (round_.volunteered.empty()) return std::nullopt;
    return volunteered(round_, asked_of(question));
}

std::optional<call::Answer> ToolCallRequest::ask_session(const call::Question& question) {
    const Json asked = asked_of(question);
    const auto request = input_request(asked);
    if (!request_->client().can(request.capability)) return std::nullopt;
    auto reply = request_->session()->ask(request_->sink(), request.method, request.params,
                                          request_->stop());
    if (!reply) return std::nullopt;
    if (!reply->error.is_null()) return call::Answer{TOOL_DENIED, {}};
    return take_answer(asked, reply->result);
}

std::optional<call::ConsentAnswer> ToolCallRequest::consent(const call::ConsentQuestion& question) {
    if (request_->stateless()) {
        const auto given = round_.consents.find(std::string(question.id));
        return given == round_.consents.end() ? std::nullopt : std::optional(given->second);
    }
    if (!request_->client().can("elicitation")) return std::nullopt;
    // For this client alone: others under the same profile have a human of their own.
    auto& session = *request_->session();
    if (session.has_consent(question.scope)) return call::ConsentAnswer::once;
    const auto request = consent_request(question.text, true);
    auto reply = session.ask(request_->sink(), request.method, request.params, request_->stop());
    if (!reply || !reply->error.is_null()) return std::nullopt;
    const auto answer = take_consent(reply->result);
    if (answer != call::ConsentAnswer::always) return answer;
    session.give_consent(question.scope);
    return call::ConsentAnswer::once;
}

void ToolCallRequest::finished(call::ToolResult result) {
    request_->server().leave_call(request_->session()->principal());
    if (request_->ended()) return;  // cancelled
    try {
        if (request_->stateless() && result.error &&
            ask_for_input(*request_, round_, *result.error))
            return;
        render(*request_, result);
        detail::free_json(result.content);
    } catch (const std::exception& e) {  // on any thread: no caller would catch it
        request_->fail({rpc_code::kInternal, std::string("internal error: ") + e.what()});
    }
}

}  // namespace toolhost::serve
