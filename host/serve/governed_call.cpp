#include "host/serve/governed_call.hpp"

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/serve/input_required.hpp"
#include "host/serve/questions.hpp"
#include "host/serve/server.hpp"
#include "toolhost/free_json.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kStateKey = "toolhost/state";
// It goes along with every call within the call.
constexpr std::size_t kMaxStateBytes = 64u << 10;

// The client's invocation state, which its tools can read; null: none.
boost::system::result<Json, RpcError> state_of(const Request& request) {
    const auto meta = request.params().find("_meta");
    if (meta == request.params().end() || !meta->is_object()) return Json();
    const auto state = meta->find(kStateKey);
    if (state == meta->end()) return Json();
    const auto refusal = [](const std::string& must) {
        return RpcError{rpc_code::kInvalidParams,
                        std::string("Invalid params: /_meta/") + kStateKey + " must " + must};
    };
    if (!state->is_object()) return refusal("be an object");
    if (dump(*state).size() > kMaxStateBytes)
        return refusal("have at most " + std::to_string(kMaxStateBytes) + " bytes");
    return *state;
}

// Everything one call needs until its result is there.
class Run : public std::enable_shared_from_this<Run> {
public:
    Run(RequestPtr request, GovernedCall&& call, InputRound&& round)
        : request_(std::move(request)), call_(std::move(call)), round_(std::move(round)) {}

    void start(call::Invoker& invoker) {
        call::ToolUse use{.reference = call_.reference,
                          .input = std::move(call_.input),
                          .use_id = {},
                          .state = std::move(call_.state),
                          .attempt = round_.attempt,
                          .answers = round_.answers,
                          .offered_by = call_.offered_by,
                          .principal = request_->session()->principal().name,
                          .caller = request_->caller()};
        prepare_watch();
        const auto self = shared_from_this();
        invoker.start(std::move(use), std::shared_ptr<const call::Watch>(self, &watch_),
                      [self](call::ToolResult result) { self->finish(std::move(result)); });
    }

private:
    void prepare_watch() {
        // The owner of the watch keeps this alive; owning it here would be a cycle.
        watch_.emit = [this](auto, auto kind, auto json) { emit(kind, json); };
        watch_.log = [this](int level, auto message) { log(level, message); };
        watch_.cancel = request_->stop();
        watch_.client_can = [this](std::string_view kind) {
            return request_->client().can(std::string(kind).c_str());
        };
        if (request_->stateless()) {  // who cannot be asked now is asked by the result
            watch_.consent_later = true;
            watch_.consent = [this](const call::ConsentQuestion& question) {
                const auto given = round_.consents.find(std::string(question.id));
                return given == round_.consents.end() ? std::nullopt : std::optional(given->second);
            };
            if (!round_.volunteered.empty())
                watch_.ask = [this](const call::Question& question) {
                    return volunteered(round_, asked_of(question));
                };
            return;
        }
        if (request_->client().can("elicitation"))
            watch_.consent = [this](const call::ConsentQuestion& question) {
                return ask_consent(question);
            };
        watch_.ask = [this](const call::Question& question) { return ask(question); };
    }

    void emit(std::string_view kind, std::string_view json) {
        auto value = parse_json(json);
        const Json data = value ? *std::move(value) : Json(std::string(json));
        if (kind == "progress") return tell_progress(data);
        if (kind == "resource_updated" && data.is_object() && data.contains("uri") &&
            data["uri"].is_string())
            return request_->server().listeners().resource_updated(
                data["uri"].get_ref<const std::string&>());
        tell(LogLevel::info, {{"kind", kind}, {"data", data}});
    }

    void log(int level, std::string_view message) { tell(log_level_of(level), message); }

    void tell(LogLevel level, Json data) {
        const auto least = request_->client().log_level;
        if (!least || level < *least) return;
        request_->notify(
            "notifications/message",
            {{"level", name_of(level)}, {"logger", call_.reference}, {"data", std::move(data)}});
    }

    // Progress must grow; what does not is not news.
    void tell_progress(const Json& data) {
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

    static Json asked_of(const call::Question& question) {
        return {{"id", question.id},
                {"name", question.name},
                {"reason", question.reason},
                {"kind", question.kind},
                {"askedBy", question.asked_by}};
    }

    std::optional<call::Answer> ask(const call::Question& question) {
        const Json asked = asked_of(question);
        const auto request = input_request(asked);
        if (!request_->client().can(request.capability)) return std::nullopt;
        auto reply = request_->session()->ask(request_->sink(), request.method, request.params,
                                              request_->stop());
        if (!reply) return std::nullopt;
        if (!reply->error.is_null()) return call::Answer{TOOL_DENIED, {}};
        return take_answer(asked, reply->result);
    }

    std::optional<call::ConsentAnswer> ask_consent(const call::ConsentQuestion& question) {
        // For this client alone: others under the same profile have a human of their own.
        auto& session = *request_->session();
        if (session.has_consent(question.scope)) return call::ConsentAnswer::once;
        const auto request = consent_request(question.text, true);
        auto reply =
            session.ask(request_->sink(), request.method, request.params, request_->stop());
        if (!reply || !reply->error.is_null()) return std::nullopt;
        const auto answer = take_consent(reply->result);
        if (answer != call::ConsentAnswer::always) return answer;
        session.give_consent(question.scope);
        return call::ConsentAnswer::once;
    }

    void finish(call::ToolResult result) {
        request_->server().leave_call(request_->session()->principal());
        if (request_->ended()) return;  // cancelled
        try {
            if (request_->stateless() && result.error &&
                ask_for_input(*request_, round_, *result.error))
                return;
            call_.done(*request_, result);
            detail::free_json(result.content);
        } catch (const std::exception& e) {  // on any thread: no caller would catch it
            request_->fail({rpc_code::kInternal, std::string("internal error: ") + e.what()});
        }
    }

    const RequestPtr request_;
    GovernedCall call_;
    const InputRound round_;
    call::Watch watch_;
    Mutex mutex_;
    double progress_ GUARDED_BY(mutex_) = -1;
};

}  // namespace

void run_governed(const RequestPtr& request, GovernedCall call) {
    auto& server = request->server();
    auto state = state_of(*request);
    if (!state) return request->fail(state.error());
    call.state = *std::move(state);
    auto invoker = request->session()->invoker(server.options().invoker);
    if (!invoker)
        return request->fail(
            {rpc_code::kInternal, invoker.error().message, to_json(invoker.error())});
    if (auto why = server.enter_call(request->session()->principal(), request->in_time()))
        return request->fail({rpc_code::kBusy, *std::move(why)});
    // Last: a state is used up by it, and a request that is refused above can be sent again.
    auto round = open_round(*request);
    if (!round) {
        server.leave_call(request->session()->principal());
        return request->fail(round.error());
    }
    std::make_shared<Run>(request, std::move(call), *std::move(round))->start(**invoker);
}

}  // namespace toolhost::serve
