#include "host/serve/request.hpp"

#include "host/base/json_text.hpp"
#include "host/serve/input_required.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/server.hpp"
#include "toolhost/free_json.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kServerInfoKey = "io.modelcontextprotocol/serverInfo";

struct Status {
    int code, http;
};
// Of requests that stand for themselves; in a session an answer is an answer, and 200.
constexpr Status kStatuses[] = {
    {rpc_code::kParseError, 400},         {rpc_code::kInvalidRequest, 400},
    {rpc_code::kHeaderMismatch, 400},     {rpc_code::kMissingCapability, 400},
    {rpc_code::kUnsupportedVersion, 400}, {rpc_code::kInvalidParams, 400},
    {rpc_code::kMethodNotFound, 404},     {rpc_code::kBusy, 429},
};

}  // namespace

int http_status(const RpcError& error) {
    for (const auto& status : kStatuses)
        if (status.code == error.code) return status.http;
    return 200;
}

std::string Request::caller() const {
    const auto& principal = session_->principal();
    if (stateless() && !principal.name.empty()) return server_.callers().of(principal);
    return session_->caller();
}

Request::Request(Server& server, std::shared_ptr<Session> session,
                 std::shared_ptr<MessageSink> sink, About&& about)
    : server_(server),
      session_(std::move(session)),
      sink_(std::move(sink)),
      client_(std::move(about.client)),
      method_(about.method),
      headers_(about.headers),
      in_time_(about.in_time),
      id_(std::move(about.message.id)),
      params_(std::move(about.message.params)) {}

Request::~Request() {
    if (!ended_)
        sink_->finish(
            error_text(id_, {rpc_code::kInternal, "internal error: the request was lost"}), 500);
    for (auto* part : {&params_.arguments, &params_.meta, &params_.others})
        detail::free_json(*part);
}

std::string_view Request::method() const {
    return method_->name;
}

void Request::run() {
    try {
        method_->handle(shared_from_this());
    } catch (const std::exception& e) {
        fail({rpc_code::kInternal, std::string("internal error: ") + e.what()});
    }
}

boost::system::result<std::shared_ptr<const call::View>, RpcError> Request::view() const {
    auto invoker = session_->invoker(server_.options().invoker);
    if (!invoker)
        return RpcError{rpc_code::kInternal, invoker.error().message, to_json(invoker.error())};
    return (*invoker)->view();
}

std::string Request::text_param(std::string_view name) const {
    const Json& value = params_.other(name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

call::ToolUse Request::take_use(std::string reference) {
    auto& given = params_.arguments;
    if (given.is_null()) return {.reference = std::move(reference)};
    return {.reference = std::move(reference),
            .input = stateless() ? given : std::move(given),
            .input_text = std::move(params_.arguments_text),
            .is_canonical = params_.is_canonical};
}

ResultText Request::begin_result() const {
    return {begin_response(id())};
}

void Request::reply(Json result, std::string_view type) {
    auto out = begin_result();
    out.type = type;
    for (auto& [key, value] : *result.get_ptr<Json::object_t*>()) {
        if (key == "resultType") continue;
        if (key == "_meta") {
            if (value.is_object()) out.meta = std::move(value);
            continue;
        }
        out.begin_member(key);
        append_json(out.text, value);
    }
    reply(std::move(out));
}

void Request::reply(ResultText&& result) {
    if (stateless()) {
        result.begin_member("resultType");
        append_json_text(result.text, result.type);
        result.meta[kServerInfoKey] = server_.server_info();
    }
    if (!result.meta.is_null()) {
        result.begin_member("_meta");
        append_json(result.text, result.meta);
    }
    result.text += "}}";
    end(std::move(result.text), 200);
}

void Request::fail(const RpcError& error) {
    end(error_text(id(), error),
        stateless() || error.code == rpc_code::kBusy ? http_status(error) : 200);
}

void Request::cancel() {
    stop_.request_stop();
    end({}, 202);
}

void Request::end(std::string message, int status) {
    if (ended_.exchange(true)) return;
    session_->leave(*this);
    sink_->finish(std::move(message), status);
}

void Request::notify(std::string_view method, const Json& params) {
    if (!ended_) sink_->send(notification_text(method, params));
}

}  // namespace toolhost::serve
