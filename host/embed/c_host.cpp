// toolhost/host.h: the public C++ host as C functions.
#include <cstdlib>

#include "host/base/json_text.hpp"
#include "host/embed/c_handles.hpp"
#include "host/embed/c_json.hpp"
#include "host/version.hpp"

using namespace toolhost;
using embed::bad_argument;
using embed::give;
using embed::guarded;

struct toolhost_cancellation {
    std::stop_source source;
};

struct toolhost_answer {
    std::optional<nlohmann::json> value;
};

namespace {

HostError no_host() {
    return bad_argument("host is NULL");
}

std::optional<Answer> ask(const toolhost_observer& observer, const nlohmann::json& question) {
    toolhost_answer answer;
    switch (observer.ask(observer.data, dump(question).c_str(), &answer)) {
        case TOOLHOST_OK:
            if (!answer.value) return std::nullopt;
            return Answer{Answer::Kind::given, *std::move(answer.value)};
        case TOOLHOST_DENIED:
            return Answer{Answer::Kind::declined};
        case TOOLHOST_CANCELLED:
            return Answer{Answer::Kind::dismissed};
        default:
            return std::nullopt;
    }
}

std::optional<Consent> consent(const toolhost_observer& observer, const nlohmann::json& question) {
    switch (observer.consent(observer.data, dump(question).c_str())) {
        case TOOLHOST_CONSENT_NONE:
            return std::nullopt;
        case TOOLHOST_CONSENT_ONCE:
            return Consent::once;
        case TOOLHOST_CONSENT_ALWAYS:
            return Consent::always;
        default:
            return Consent::no;
    }
}

CallObserver observer_of(const toolhost_observer& given) {
    CallObserver out;
    if (given.event)
        out.event = [given](const std::string& kind, const nlohmann::json& data) {
            given.event(given.data, kind.c_str(), dump(data).c_str());
        };
    if (given.log)
        out.log = [given](int level, const std::string& message) {
            given.log(given.data, level, message.c_str());
        };
    if (given.ask) out.ask = [given](const auto& question) { return ask(given, question); };
    if (given.consent)
        out.consent = [given](const auto& question) { return consent(given, question); };
    return out;
}

// A call that could not start also gets a result.
nlohmann::json result_of(const HostError& error) {
    return {{"toolUseId", ""},
            {"status", "error"},
            {"content", nlohmann::json::array({{{"text", error.message}}})},
            {"error", embed::json_of(error)}};
}

CallResult run_call(toolhost_host* host, const char* request, const toolhost_observer* observer,
                    const toolhost_cancellation* cancellation) {
    if (!host) return {result_of(no_host())};
    auto wanted = embed::read_request(request);
    if (!wanted) return {result_of(wanted.error())};
    const auto given = embed::read_struct(observer, "observer");
    if (!given) return {result_of(given.error())};
    auto follows = observer_of(*given);
    if (cancellation) follows.cancel = cancellation->source.get_token();
    return host->host.call(*std::move(wanted), std::move(follows));
}

}  // namespace

const char* toolhost_version() {
    return kVersion;
}

void toolhost_free(char* text) {
    std::free(text);
}

toolhost_status toolhost_open(const char* options, const toolhost_callbacks* callbacks,
                              toolhost_host** host, char** error) {
    if (host) *host = nullptr;
    return guarded(error, [&]() -> HostResult<> {
        if (!host) return no_host();
        auto wanted = embed::read_options(options);
        if (!wanted) return wanted.error();
        const auto given = embed::read_struct(callbacks, "callbacks");
        if (!given) return given.error();
        if (given->warn)
            wanted->warn = [warn = given->warn, data = given->data](const std::string& text) {
                warn(data, text.c_str());
            };
        auto opened = Host::open(*std::move(wanted));
        if (!opened) return opened.error();
        *host = new toolhost_host{*std::move(opened)};
        return {};
    });
}

void toolhost_close(toolhost_host* host) {
    delete host;
}

toolhost_status toolhost_list(toolhost_host* host, const char* profile, char** result) {
    return guarded(result, [&]() -> HostResult<> {
        if (!host) return no_host();
        const auto name = embed::read_text(profile ? profile : "", "profile");
        if (!name) return name.error();
        const auto specs = host->host.list(*name);
        if (!specs) return specs.error();
        give(dump(*specs), result);
        return {};
    });
}

toolhost_status toolhost_reload(toolhost_host* host, int32_t* changed, char** error) {
    if (changed) *changed = 0;
    return guarded(error, [&]() -> HostResult<> {
        if (!host) return no_host();
        const bool has_other_tools = host->host.reload();
        if (changed) *changed = has_other_tools ? 1 : 0;
        return {};
    });
}

toolhost_status toolhost_watch(toolhost_host* host, void (*changed)(void* data), void* data,
                               char** error) {
    return guarded(error, [&]() -> HostResult<> {
        if (!host) return no_host();
        host->host.watch([changed, data] {
            if (changed) changed(data);
        });
        return {};
    });
}

toolhost_status toolhost_set_answer(toolhost_answer* answer, const char* json) {
    if (!answer) return TOOLHOST_BAD_INPUT;
    const auto done = guarded(nullptr, [&]() -> HostResult<> {
        auto value = embed::read_json(json, "answer");
        if (!value) return value.error();
        answer->value = *std::move(value);
        return {};
    });
    return done == TOOLHOST_OK ? TOOLHOST_OK : TOOLHOST_BAD_INPUT;
}

toolhost_status toolhost_call(toolhost_host* host, const char* request,
                              const toolhost_observer* observer,
                              toolhost_cancellation* cancellation, char** result) {
    bool ok = false;
    const auto done = guarded(result, [&]() -> HostResult<> {
        const auto called = run_call(host, request, observer, cancellation);
        give(dump(called.document), result);
        ok = called.ok();
        return {};
    });
    return done == TOOLHOST_OK && ok ? TOOLHOST_OK : TOOLHOST_FAILED;
}

toolhost_cancellation* toolhost_cancellation_create() {
    try {
        return new toolhost_cancellation;
    } catch (...) {
        return nullptr;
    }
}

void toolhost_cancel(toolhost_cancellation* cancellation) {
    if (cancellation) cancellation->source.request_stop();
}

void toolhost_cancellation_free(toolhost_cancellation* cancellation) {
    delete cancellation;
}
