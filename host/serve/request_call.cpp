// A request's other half: the call that it makes.
#include "host/base/json_text.hpp"
#include "host/serve/input_required.hpp"
#include "host/serve/questions.hpp"
#include "host/serve/server.hpp"
#include "toolhost/free_json.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kStateKey = "toolhost/state";
// It goes along with every call within the call.
constexpr std::size_t kMaxStateBytes = 64u << 10;

// Gives `use` the client's invocation state as JSON text, which its tools can read.
std::optional<RpcError> take_state(const Json& meta, call::ToolUse& use) {
    const auto state = meta.find(kStateKey);
    if (state == meta.end()) return std::nullopt;
    const auto refusal = [](const std::string& must) {
        return RpcError{rpc_code::kInvalidParams,
                        std::string("Invalid params: /_meta/") + kStateKey + " must " + must};
    };
    if (!state->is_object()) return refusal("be an object");
    use.state = dump(*state);
    if (use.state.size() > kMaxStateBytes)
        return refusal("have at most " + std::to_string(kMaxStateBytes) + " bytes");
    return std::nullopt;
}

Json asked_of(const call::Question& question) {
    return {{"id", question.id},
            {"name", question.name},
            {"reason", question.reason},
            {"kind", question.kind},
            {"askedBy", question.asked_by}};
}

}  // namespace

void Request::start_call(call::ToolUse&& use, Render render) {
    auto invoker = admit(use);
    if (!invoker) return fail(invoker.error());
    render_ = render;
    logger_ = use.reference;
    (*invoker)->start(std::move(use), shared_from_this(), {stop(), {}});
}

// Completes `use`, and takes a place among the running calls.
boost::system::result<call::Invoker*, RpcError> Request::admit(call::ToolUse& use) {
    const auto& principal = session_->principal();
    if (auto fault = take_state(params_.meta, use)) return *std::move(fault);
    auto invoker = session_->invoker(server_.options().invoker);
    if (!invoker)
        return RpcError{rpc_code::kInternal, invoker.error().message, to_json(invoker.error())};
    auto usage = server_.usages().of(principal);
    if (auto why = server_.enter_call(*usage, in_time_))
        return RpcError{rpc_code::kBusy, *std::move(why)};
    // Last: a state is used up by it, and a request that is refused above can be sent again.
    if (stateless()) {
        auto round = open_round(*this);
        if (!round) {
            server_.leave_call(*usage);
            return round.error();
        }
        round_ = std::make_unique<InputRound>(*std::move(round));
        use.attempt = round_->attempt;
        use.answers = round_->answers;
    }
    usage_ = std::move(usage);
    use.principal = principal.name;
    use.caller = caller();
    return *invoker;
}

void Request::emit(std::string_view, std::string_view kind, std::string_view json) {
    auto value = parse_json(json);
    const Json data = value ? *std::move(value) : Json(std::string(json));
    if (kind == "progress") return tell_progress(data);
    if (kind == "resource_updated" && data.is_object() && data.contains("uri") &&
        data["uri"].is_string())
        return server_.listeners().resource_updated(data["uri"].get_ref<const std::string&>());
    tell(LogLevel::info, {{"kind", kind}, {"data", data}});
}

void Request::log(int level, std::string_view message) {
    tell(log_level_of(level), message);
}

void Request::tell(LogLevel level, Json data) {
    const auto least = client().log_level;
    if (!least || level < *least) return;
    notify("notifications/message",
           {{"level", name_of(level)}, {"logger", logger_}, {"data", std::move(data)}});
}

// Progress must grow; what does not is not news.
void Request::tell_progress(const Json& data) {
    const auto token = params_.meta.find("progressToken");
    if (token == params_.meta.end()) return;
    MutexLock lock(mutex_);  // held while sending: the client sees them in order
    const Json number = data.is_object() ? data.value("progress", Json()) : Json();
    const double progress = number.is_number() ? number.get<double>() : progress_ + 1;
    if (progress <= progress_) return;
    progress_ = progress;
    Json told{{"progressToken", *token}, {"progress", number}};
    if (!number.is_number()) told["progress"] = progress;
    for (const char* key : {"total", "message"})
        if (data.is_object() && data.contains(key)) told[key] = data[key];
    notify("notifications/progress", told);
}

bool Request::client_can(std::string_view kind) const {
    return client().can(std::string(kind).c_str());
}

std::optional<call::Answer> Request::ask(const call::Question& question) {
    if (!stateless()) return ask_session(question);
    if (round_->volunteered.empty()) return std::nullopt;
    return volunteered(*round_, asked_of(question));
}

std::optional<call::Answer> Request::ask_session(const call::Question& question) {
    const Json asked = asked_of(question);
    const auto request = input_request(asked);
    if (!client().can(request.capability)) return std::nullopt;
    auto reply = session_->ask(sink(), request.method, request.params, stop());
    if (!reply) return std::nullopt;
    if (!reply->error.is_null()) return call::Answer{TOOL_DENIED, {}};
    return take_answer(asked, reply->result);
}

std::optional<call::ConsentAnswer> Request::consent(const call::ConsentQuestion& question) {
    if (stateless()) {
        const auto given = round_->consents.find(std::string(question.id));
        return given == round_->consents.end() ? std::nullopt : std::optional(given->second);
    }
    if (!client().can("elicitation")) return std::nullopt;
    // For this client alone: others under the same profile have a human of their own.
    auto& session = *session_;
    if (session.has_consent(question.scope)) return call::ConsentAnswer::once;
    const auto request = consent_request(question.text, true);
    auto reply = session.ask(sink(), request.method, request.params, stop());
    if (!reply || !reply->error.is_null()) return std::nullopt;
    const auto answer = take_consent(reply->result);
    if (answer != call::ConsentAnswer::always) return answer;
    session.give_consent(question.scope);
    return call::ConsentAnswer::once;
}

void Request::finished(call::ToolResult&& result) {
    server_.leave_call(*usage_);
    if (ended_) return;  // cancelled
    try {
        if (round_ && result.error && ask_for_input(*this, *round_, *result.error)) return;
        render_(*this, result);
        for (auto& block : result.content) detail::free_json(block.value);
    } catch (const std::exception& e) {  // on any thread: no caller would catch it
        fail({rpc_code::kInternal, std::string("internal error: ") + e.what()});
    }
}

}  // namespace toolhost::serve
