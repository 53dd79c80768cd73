// A minimal host that records what a tool does, and answers as a test requires.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "toolhost/ext/roots.h"
#include "toolhost/ext/sampling.h"
#include "toolhost/plugin.h"

struct tool_call {
    std::vector<std::string> replies;
    std::vector<std::pair<std::string, std::string>> failures, denials, emitted;
    std::vector<std::pair<std::int32_t, std::string>> logged;
    std::vector<std::pair<std::string, std::string>> called, asked;
    bool is_cancelled = false;
    tool_status reply_status = TOOL_OK, call_status = TOOL_OK, ask_status = TOOL_OK;
    std::string call_result, answer;

    // The content of the single reply.
    nlohmann::json content() const { return nlohmann::json::parse(replies.at(0)); }
};

namespace fake {

inline std::string text(const tool_str* str) {
    return std::string(str->data, str->size);
}
inline tool_str str(const std::string& text) {
    return {text.data(), text.size()};
}

inline tool_host host() {
    tool_host host{};
    host.struct_size = sizeof host;
    host.abi_major = TOOL_ABI_MAJOR;
    host.abi_minor = TOOL_ABI_MINOR;
    host.reply = [](tool_call* call, const tool_str* content) {
        call->replies.push_back(text(content));
        return call->reply_status;
    };
    host.fail = [](tool_call* call, const tool_str* code, const tool_str* message) {
        call->failures.emplace_back(text(code), text(message));
        return tool_status{TOOL_FAILED};
    };
    host.deny = [](tool_call* call, const tool_str* reason, const tool_str* message) {
        call->denials.emplace_back(text(reason), text(message));
        return tool_status{TOOL_DENIED};
    };
    host.emit = [](tool_call* call, const tool_str* kind, const tool_str* json) {
        call->emitted.emplace_back(text(kind), text(json));
        return tool_status{call->is_cancelled ? TOOL_CANCELLED : TOOL_OK};
    };
    host.cancelled = [](tool_call* call) { return std::int32_t{call->is_cancelled ? 1 : 0}; };
    host.log = [](tool_call* call, std::int32_t level, const tool_str* message) {
        call->logged.emplace_back(level, text(message));
    };
    host.call_tool = [](tool_call* call, const tool_str* ref, const tool_str* input,
                        tool_str* result) {
        call->called.emplace_back(text(ref), text(input));
        *result = str(call->call_result);
        return call->call_status;
    };
    host.interrupt = [](tool_call* call, const tool_str* name, const tool_str* reason,
                        tool_str* answer) {
        call->asked.emplace_back(text(name), text(reason));
        *answer = str(call->answer);
        return call->ask_status;
    };
    host.extension = [](const tool_host*, const char* id) -> const void* {
        static const int known = 7;
        static const tool_sampling sampling{
            sizeof(tool_sampling), 0,
            [](tool_call* call, const tool_str* params, tool_str* result) {
                call->asked.emplace_back("sampling", text(params));
                *result = str(call->answer);
                return call->ask_status;
            }};
        static const tool_roots roots{sizeof(tool_roots), 0, [](tool_call* call, tool_str* result) {
                                          *result = str(call->answer);
                                          return call->ask_status;
                                      }};
        if (std::string(id) == TOOL_EXT_SAMPLING) return &sampling;
        if (std::string(id) == TOOL_EXT_ROOTS) return &roots;
        return std::string(id) == "toolhost.known/1" ? &known : nullptr;
    };
    return host;
}

// One call; tests change its fields.
struct Request {
    std::string tool = {}, input = "{}", policy = "{}", state = "{}", use_id = "use-1";
    std::string version = "1.0.0", caller = {};
    std::uint32_t attempt = 0;
    std::int64_t budget_ms = -1;

    // Refers to this object, so it must not be a temporary.
    tool_request abi() const&& = delete;
    tool_request abi() const& {
        return {sizeof(tool_request), attempt,    str(tool), str(use_id),  str(input),
                str(policy),          str(state), budget_ms, str(version), str(caller)};
    }
};

// Calls the library's exported function.
inline tool_status invoke(const Request& request, tool_call& call, const tool_host& with = host()) {
    const tool_request abi = request.abi();
    return tool_invoke(&abi, &with, &call);
}

}  // namespace fake
