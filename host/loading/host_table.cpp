#include "host/loading/host_table.hpp"

#include "toolhost/ext/roots.h"
#include "toolhost/ext/sampling.h"

namespace toolhost::loading {
namespace {

// Plugins are untrusted: a NULL string counts as empty instead of crashing the host.
std::string_view view(const tool_str* text) {
    return text && text->data ? std::string_view(text->data, text->size) : std::string_view();
}

void keep_text(tool_call* call, std::string text, tool_str* out) {
    call->lent.push_back(std::make_unique<std::string>(std::move(text)));
    if (out) *out = as_tool_str(*call->lent.back());
}

tool_status reply(tool_call* call, const tool_str* content) {
    if (!call) return TOOL_UNSUPPORTED;
    if (call->outcome.replies++ == 0) call->outcome.content = std::string(view(content));
    return call->outcome.replies == 1 ? TOOL_OK : TOOL_FAILED;
}

tool_status fail(tool_call* call, const tool_str* code, const tool_str* message) {
    if (!call) return TOOL_UNSUPPORTED;
    call->outcome.failure = {std::string(view(code)), std::string(view(message))};
    return TOOL_FAILED;
}

tool_status deny(tool_call* call, const tool_str* reason, const tool_str* message) {
    if (!call) return TOOL_UNSUPPORTED;
    call->outcome.denial = {std::string(view(reason)), std::string(view(message))};
    return TOOL_DENIED;
}

tool_status emit(tool_call* call, const tool_str* kind, const tool_str* json) {
    if (!call) return TOOL_UNSUPPORTED;
    if (call->host->cancelled()) return TOOL_CANCELLED;
    call->host->emit(view(kind), view(json));
    return TOOL_OK;
}

std::int32_t cancelled(tool_call* call) {
    return call && call->host->cancelled() ? 1 : 0;
}

void log(tool_call* call, std::int32_t level, const tool_str* message) {
    if (call) call->host->log(level, view(message));
}

tool_status call_tool(tool_call* call, const tool_str* reference, const tool_str* input,
                      tool_str* result) {
    if (!call) return TOOL_UNSUPPORTED;
    if (call->host->cancelled()) return TOOL_CANCELLED;
    auto [status, text] = call->host->call_tool(view(reference), view(input));
    keep_text(call, std::move(text), result);
    return status;
}

tool_status interrupt(tool_call* call, const tool_str* name, const tool_str* reason,
                      tool_str* answer) {
    if (!call) return TOOL_UNSUPPORTED;
    auto [status, text] = call->host->interrupt(view(name), view(reason));
    if (status == TOOL_OK) keep_text(call, std::move(text), answer);
    return status;
}

tool_status ask_client(tool_call* call, const char* kind, std::string_view params,
                       tool_str* result) {
    if (!call) return TOOL_UNSUPPORTED;
    auto [status, text] = call->host->ask_client(kind, params);
    if (status == TOOL_OK) keep_text(call, std::move(text), result);
    return status;
}

tool_status create_message(tool_call* call, const tool_str* params, tool_str* result) {
    return ask_client(call, "sampling", view(params), result);
}

tool_status list_roots(tool_call* call, tool_str* result) {
    return ask_client(call, "roots", "{}", result);
}

constexpr tool_sampling kSampling{sizeof(tool_sampling), 0, create_message};
constexpr tool_roots kRoots{sizeof(tool_roots), 0, list_roots};

struct Extension {
    std::string_view id;
    const void* table;
};
constexpr Extension kExtensions[] = {{TOOL_EXT_SAMPLING, &kSampling}, {TOOL_EXT_ROOTS, &kRoots}};

const void* extension(const tool_host*, const char* id) {
    for (const auto& known : kExtensions)
        if (id && known.id == id) return known.table;
    return nullptr;
}

}  // namespace

tool_str as_tool_str(std::string_view text) {
    return {text.data(), text.size()};
}

const tool_host& host_table() {
    static const tool_host table = {
        sizeof(tool_host), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, reply, fail, deny, emit, cancelled, log,
        call_tool,         interrupt,      extension,
    };
    return table;
}

}  // namespace toolhost::loading
