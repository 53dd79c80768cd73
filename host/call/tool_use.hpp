// A request to call a tool, and what comes back: always one result, errors as data.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host/registry/error.hpp"

namespace toolhost::call {

struct ToolUse {
    std::string reference;
    Json input = Json::object();
    std::string use_id;           // empty: one is made
    Json state = Json::object();  // the caller's own, handed to the tool to read
    std::uint32_t attempt = 0;
    std::map<std::string, Json> answers;  // to interrupts, by id
};

struct ToolResult {
    std::string use_id;
    Json content = Json::array();
    std::optional<Error> error;  // nothing: success

    [[nodiscard]] bool ok() const { return !error; }
    // {"toolUseId", "status", "content", "error"?}
    [[nodiscard]] Json json() const;
};

// An error as a result: the message is also the content, since that is what a model reads.
[[nodiscard]] ToolResult error_result(std::string use_id, Error error);

// How the caller watches and steers a call. emit and log come from any thread.
struct Watch {
    std::function<void(std::string_view kind, std::string_view json)> emit;
    std::function<void(int level, std::string_view message)> log;
    std::function<bool()> cancelled;
    // Asks a human now; nothing where nobody can be asked.
    std::function<std::optional<Json>(std::string_view name, const Json& reason)> ask;
};

}  // namespace toolhost::call
