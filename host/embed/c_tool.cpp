// toolhost/host.h: tools that a program creates through the C API.
#include "host/base/json_text.hpp"
#include "host/embed/c_handles.hpp"
#include "host/embed/c_json.hpp"

using namespace toolhost;
using embed::bad_argument;
using embed::give;
using embed::guarded;

struct toolhost_call_context {
    ToolCall& call;
    ToolReply reply{};  // used by the invoke-thread only
};

namespace {

std::string text_or_empty(const char* text) {
    return text ? text : "";
}

// The caller's data, released when the last call of its tool has ended.
class ToolData {
public:
    explicit ToolData(const toolhost_tool& tool) : tool_(tool) {}
    ~ToolData() {
        if (tool_.release && owns_) tool_.release(tool_.data);
    }
    ToolData(const ToolData&) = delete;
    ToolData& operator=(const ToolData&) = delete;

    void own() { owns_ = true; }

    [[nodiscard]] ToolReply invoke(const ToolInput& input, ToolCall& call) const {
        const nlohmann::json document{{"tool", input.tool},
                                      {"version", input.version},
                                      {"toolUseId", input.tool_use_id},
                                      {"input", input.input},
                                      {"policy", input.policy},
                                      {"state", input.state},
                                      {"principal", input.principal},
                                      {"caller", input.caller},
                                      {"attempt", input.attempt}};
        toolhost_call_context context{call};
        switch (tool_.invoke(tool_.data, dump(document).c_str(), &context)) {
            case TOOLHOST_OK:
                return ToolReply::blocks(std::move(context.reply.content));
            case TOOLHOST_CANCELLED:
                return ToolReply::cancelled();
            case TOOLHOST_INTERRUPTED:
                return ToolReply::interrupted();
            case TOOLHOST_DENIED:
                return ToolReply::denied(context.reply.key, context.reply.message);
            case TOOLHOST_BAD_INPUT:
                return ToolReply::bad_input(context.reply.key, context.reply.message);
            default:
                return ToolReply::failed(context.reply.key, context.reply.message);
        }
    }

private:
    const toolhost_tool tool_;
    bool owns_ = false;
};

}  // namespace

toolhost_status toolhost_create_tool(toolhost_host* host, const toolhost_tool* tool, char** error) {
    return guarded(error, [&]() -> HostResult<> {
        if (!host) return bad_argument("host is NULL");
        if (!tool) return bad_argument("tool is NULL");
        const auto given = embed::read_struct(tool, "tool");
        if (!given) return given.error();
        if (!given->invoke) return bad_argument("tool.invoke is NULL");
        if (given->flags > TOOLHOST_CONCURRENT) return bad_argument("tool.flags has unknown bits");
        if (auto spec = embed::read_json(given->spec, "tool.spec"); !spec) return spec.error();
        const auto data = std::make_shared<ToolData>(*given);
        auto created = host->host.create_tool(
            nlohmann::ordered_json::parse(given->spec),
            [data](const ToolInput& input, ToolCall& call) { return data->invoke(input, call); },
            given->flags == TOOLHOST_CONCURRENT ? Concurrency::concurrent : Concurrency::serial);
        if (created) data->own();
        return created;
    });
}

toolhost_status toolhost_delete_tool(toolhost_host* host, const char* name, char** error) {
    return guarded(error, [&]() -> HostResult<> {
        if (!host) return bad_argument("host is NULL");
        const auto wanted = embed::read_text(name, "name");
        if (!wanted) return wanted.error();
        return host->host.delete_tool(*wanted);
    });
}

toolhost_status toolhost_reply(toolhost_call_context* call, const char* content) {
    if (!call || !call->reply.content.is_null()) return TOOLHOST_FAILED;
    const auto done = guarded(nullptr, [&]() -> HostResult<> {
        auto value = embed::read_json(content, "content");
        if (!value) return value.error();
        call->reply.content = *std::move(value);
        return {};
    });
    return done == TOOLHOST_OK ? TOOLHOST_OK : TOOLHOST_BAD_INPUT;
}

namespace {

toolhost_status explain(toolhost_call_context* call, const char* key, const char* message,
                        toolhost_status status) {
    guarded(nullptr, [&]() -> HostResult<> {
        if (!call) return {};
        call->reply.key = text_or_empty(key);
        call->reply.message = text_or_empty(message);
        return {};
    });
    return status;
}

}  // namespace

toolhost_status toolhost_fail(toolhost_call_context* call, const char* code, const char* message) {
    return explain(call, code, message, TOOLHOST_FAILED);
}

toolhost_status toolhost_deny(toolhost_call_context* call, const char* reason,
                              const char* message) {
    return explain(call, reason, message, TOOLHOST_DENIED);
}

toolhost_status toolhost_emit(toolhost_call_context* call, const char* kind, const char* json) {
    toolhost_status status = TOOLHOST_BAD_INPUT;
    guarded(nullptr, [&]() -> HostResult<> {
        if (!call) return {};
        const auto name = embed::read_text(kind, "kind");
        const auto value = embed::read_json(json, "json");
        if (name && value)
            status = call->call.emit(*name, *value) ? TOOLHOST_OK : TOOLHOST_CANCELLED;
        return {};
    });
    return status;
}

int32_t toolhost_cancelled(toolhost_call_context* call) {
    return call && call->call.cancelled() ? 1 : 0;
}

void toolhost_log(toolhost_call_context* call, int32_t level, const char* message) {
    guarded(nullptr, [&]() -> HostResult<> {
        if (call) call->call.log(level, text_or_empty(message));
        return {};
    });
}

toolhost_status toolhost_call_tool(toolhost_call_context* call, const char* tool, const char* input,
                                   char** result) {
    toolhost_status status = TOOLHOST_FAILED;
    const auto done = guarded(result, [&]() -> HostResult<> {
        if (!call) return bad_argument("call is NULL");
        const auto name = embed::read_text(tool, "tool");
        if (!name) return name.error();
        const auto value = embed::read_json(input, "input");
        if (!value) return value.error();
        const auto called = call->call.call(*name, *value);
        give(dump(called.document), result);
        if (called.ok())
            status = TOOLHOST_OK;
        else if (called.document.at("error").at("code") == "interrupted")
            status = TOOLHOST_INTERRUPTED;
        return {};
    });
    return done == TOOLHOST_OK ? status : TOOLHOST_BAD_INPUT;
}

toolhost_status toolhost_ask(toolhost_call_context* call, const char* name, const char* reason,
                             char** answer) {
    toolhost_status status = TOOLHOST_BAD_INPUT;
    guarded(answer, [&]() -> HostResult<> {
        if (!call) return bad_argument("call is NULL");
        const auto title = embed::read_text(name, "name");
        if (!title) return title.error();
        const auto value = embed::read_json(reason, "reason");
        if (!value) return value.error();
        const auto given = call->call.ask(*title, *value);
        if (!given) {
            status = TOOLHOST_INTERRUPTED;
        } else if (given->kind != Answer::Kind::given) {
            status = given->kind == Answer::Kind::declined ? TOOLHOST_DENIED : TOOLHOST_CANCELLED;
        } else {
            status = TOOLHOST_OK;
            give(dump(given->value), answer);
        }
        return {};
    });
    return status;
}
