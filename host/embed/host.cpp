// toolhost/host.hpp: wraps the composition root in public types.
#include <spdlog/spdlog.h>

#include "host/base/json_text.hpp"
#include "host/call/event_log.hpp"
#include "host/embed/created_tool.hpp"
#include "host/embed/installed.hpp"
#include "host/embed/running_calls.hpp"
#include "host/host.hpp"
#include "host/host_files.hpp"
#include "host/version.hpp"
#include "toolhost/host.hpp"

namespace toolhost {
inline namespace v1 {
namespace {

// Output of tools may contain invalid UTF-8, which would make programs fail when they write JSON.
Json valid_utf8(const Json& value) {
    auto read = parse_json(dump(value));
    return read ? *std::move(read) : value;
}
std::string valid_utf8(std::string_view text) {
    return valid_utf8(Json(text)).get<std::string>();
}

// The name of a code is stable, its position in the enumeration is not.
HostError public_error(const Error& error) {
    return {std::string(info(error.code).name), error.message, error.details};
}

// A program that does not use spdlog must not get the host's log lines on stdout.
void silence_default_logger() {
    const auto logger = spdlog::default_logger();
    if (logger && logger->name().empty()) logger->set_level(spdlog::level::err);
}

Json question_of(const call::Question& question) {
    return {{"id", question.id},         {"name", question.name}, {"tool", question.tool},
            {"reason", question.reason}, {"kind", question.kind}, {"askedBy", question.asked_by}};
}

call::Answer internal_answer(Answer answer) {
    switch (answer.kind) {
        case Answer::Kind::declined:
            return {TOOL_DENIED, {}};
        case Answer::Kind::dismissed:
            return {TOOL_CANCELLED, {}};
        case Answer::Kind::given:
            break;
    }
    return {TOOL_OK, std::move(answer.value)};
}

call::ConsentAnswer internal_consent(Consent consent) {
    return consent == Consent::no     ? call::ConsentAnswer::no
           : consent == Consent::once ? call::ConsentAnswer::once
                                      : call::ConsentAnswer::always;
}

// Keeps what the functions refer to alive. A tool that does not end may use it after its call.
class EmbedderObserver final : public call::CallObserver {
public:
    explicit EmbedderObserver(v1::CallObserver given) : given_(std::move(given)) {}

    void emit(std::string_view, std::string_view kind, std::string_view json) override {
        if (!given_.event) return;
        auto value = parse_json(json);
        given_.event(valid_utf8(kind), value ? *std::move(value) : Json(valid_utf8(json)));
    }
    void log(int level, std::string_view message) override {
        if (given_.log) given_.log(level, valid_utf8(message));
    }
    std::optional<call::Answer> ask(const call::Question& question) override {
        if (!given_.ask) return std::nullopt;
        auto answer = given_.ask(question_of(question));
        if (!answer) return std::nullopt;
        return internal_answer(*std::move(answer));
    }
    std::optional<call::ConsentAnswer> consent(const call::ConsentQuestion& question) override {
        if (!given_.consent) return std::nullopt;
        const auto answer = given_.consent({{"id", question.id},
                                            {"tool", question.tool},
                                            {"input", question.input},
                                            {"text", question.text}});
        if (!answer) return std::nullopt;
        return internal_consent(*answer);
    }

private:
    const v1::CallObserver given_;
};

call::ToolUse use_of(CallRequest&& request) {
    call::ToolUse use;
    use.reference = std::move(request.tool);
    use.input = std::move(request.input);
    use.use_id = std::move(request.tool_use_id);
    if (!request.state.empty()) use.state = dump(request.state);
    use.principal = std::move(request.principal);
    use.caller = std::move(request.caller);
    use.consented = request.consented;
    if (request.timeout) use.timeout_ms = request.timeout->count();
    return use;
}

// In the author's order, which forms and tables keep.
std::string text_of(const nlohmann::ordered_json& spec) {
    return spec.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<core::HostOptions> root_options(HostOptions&& given) {
    core::HostOptions out;
    if (given.program.empty()) given.program = embed::installed_program();
    if (given.program.empty())
        return Error{ErrorCode::internal,
                     "the toolhost binary is not installed beside this library: name it in "
                     "HostOptions::program",
                     {}};
    if (!given.events.empty()) {
        auto log = call::open_event_log(given.events);
        if (!log) return log.error();
        out.events = *std::move(log);
        given.own_files.push_back(given.events);
    }
    out.plugins = {std::move(given.plugins), std::move(given.only_plugins), {}};
    out.config = {std::move(given.config), std::move(given.profile)};
    out.program = std::move(given.program);
    out.no_cache = !given.use_cache;
    out.probe_timeout = given.probe_timeout;
    out.warn = std::move(given.warn);
    for (const auto& file : given.own_files)
        out.files.push_back(host_file(file, "a file of the program that embeds it"));
    return out;
}

}  // namespace

struct Host::Parts {
    std::unique_ptr<core::Host> root;
    embed::RunningCalls calls;
};

Host::Host(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Host::Host(Host&&) noexcept = default;

Host& Host::operator=(Host&& other) noexcept {
    if (parts_) shutdown();
    parts_ = std::move(other.parts_);
    return *this;
}

Host::~Host() {
    if (parts_) shutdown();
}

HostResult<Host> Host::open(HostOptions options) {
    silence_default_logger();
    auto wanted = root_options(std::move(options));
    if (!wanted) return public_error(wanted.error());
    auto root = core::Host::open(*std::move(wanted));
    if (!root) return public_error(root.error());
    auto parts = std::make_unique<Parts>();
    parts->root = *std::move(root);
    return Host(std::move(parts));
}

HostResult<nlohmann::json> Host::list(const std::string& profile) const {
    const embed::RunningCalls::Place place(parts_->calls);
    if (!place) return HostError{"cancelled", "the host is shut down"};
    const auto invoker = parts_->root->invoker_of(profile);
    if (!invoker) return public_error(invoker.error());
    const auto view = (*invoker)->view();
    Json specs = Json::array();
    for (const auto& tool : view->catalogue().tools())
        if (tool.usable() && view->allowlist().allows(tool)) specs.push_back(tool.spec.json());
    return specs;
}

CallResult Host::call(CallRequest request, CallObserver observer) {
    const embed::RunningCalls::Place place(parts_->calls);
    if (!place)
        return {call::error_result(request.tool_use_id,
                                   {ErrorCode::cancelled, "the host is shut down", {}})
                    .json()};
    const auto invoker = parts_->root->invoker_of(request.profile);
    if (!invoker) return {call::error_result(request.tool_use_id, invoker.error()).json()};
    std::stop_source stop;
    const auto cancel = [&stop] { stop.request_stop(); };
    const std::stop_callback cancelled(observer.cancel, cancel);
    const std::stop_callback closing(parts_->calls.closing(), cancel);
    const auto result = (*invoker)->call(use_of(std::move(request)),
                                         std::make_shared<EmbedderObserver>(std::move(observer)),
                                         {stop.get_token(), {}});
    return {result.ok() ? result.json() : valid_utf8(result.json())};
}

HostResult<> Host::create_tool(const nlohmann::ordered_json& spec, ToolFunction function,
                               Concurrency concurrency) {
    const embed::RunningCalls::Place place(parts_->calls);
    if (!place) return HostError{"cancelled", "the host is shut down"};
    if (!function) return HostError{"invalid_input", "the tool has no function"};
    const auto created = parts_->root->create_tool(
        text_of(spec), std::make_shared<embed::CreatedTool>(std::move(function), concurrency));
    if (created) return {};
    const auto& [reason, message] = created.error();
    if (reason == "already_exists") return HostError{reason, message};
    return HostError{"invalid_spec", message, {{"reason", reason}}};
}

HostResult<> Host::delete_tool(const std::string& name) {
    const embed::RunningCalls::Place place(parts_->calls);
    if (!place) return HostError{"cancelled", "the host is shut down"};
    if (parts_->root->delete_tool(name)) return {};
    return HostError{"unknown_tool", "no tool '" + name + "' was created"};
}

bool Host::reload() {
    const embed::RunningCalls::Place place(parts_->calls);
    return place && parts_->root->reload();
}

void Host::watch(std::function<void()> changed) {
    const embed::RunningCalls::Place place(parts_->calls);
    if (!place) return;
    parts_->root->watch([changed = std::move(changed)](bool has_other_tools) {
        if (has_other_tools && changed) changed();
    });
}

std::string Host::version() {
    return kVersion;
}

void Host::shutdown() {
    parts_->calls.close();
    if (!parts_->root) return;
    parts_->root->stop_watching();
    parts_->root->flush_events();
    // An abandoned call in this process may still use it.
    if (parts_->root->runtimes().in_process().overdue() > 0)
        (void)parts_->root.release();
    else
        parts_->root.reset();
}

}  // namespace v1
}  // namespace toolhost
