// JSON-RPC 2.0 as MCP uses it: parses untrusted messages and writes our own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::serve {

// The codes we answer with.
namespace rpc_code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternal = -32603;
inline constexpr int kBusy = -32000;              // a limit of this server; try again
inline constexpr int kResourceNotFound = -32002;  // until 2025-11-25
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
}  // namespace rpc_code

struct RpcError {
    int code = rpc_code::kInternal;
    std::string message;
    Json data{};  // null: none
};

// MCP's ids: strings and whole numbers. JSON-RPC's null would not identify a request.
[[nodiscard]] bool is_id(const Json& id);
// Longer than any counter; ids are kept while their request runs.
inline constexpr std::size_t kMaxIdBytes = 256;
[[nodiscard]] bool is_too_long_id(const Json& id);

// The parameters of a request or notification. Those that many methods have are apart, so that the
// usual request needs no document of them.
struct Params {
    std::string name{};  // empty: missing, or not a text
    Json arguments{};    // null: missing
    // The text of the arguments as it was sent, where it is compact; empty: not known.
    std::string arguments_text{};
    bool is_canonical = false;  // the text is as dump() writes it
    Json meta{};                // `_meta`; null: missing, or not an object
    Json others{};              // an object; null: none

    // One of the others; null: missing.
    [[nodiscard]] const Json& other(std::string_view key) const;
    // The text of `name` or of one of the others; empty: missing, or not a text.
    [[nodiscard]] std::string text(std::string_view key) const;
};

struct Message {
    enum class Kind { request, notification, response };
    Kind kind = Kind::request;
    Json id{};  // a string or an integer; null: none
    std::string method{};
    Params params{};
    // Of a response: the result, or the error where that is not null.
    Json result{}, error{};
};

// What is wrong with a message, and whose it is where that can be told.
struct MessageFault {
    Json id{};
    RpcError error;
};

[[nodiscard]] boost::system::result<Message, MessageFault> read_message(Json document);
// A request or notification straight from its text, where it is as nearly all are; else nothing,
// and the document is to be read. Its values are counted before (has_more_values).
[[nodiscard]] std::optional<Message> read_message_quickly(std::string_view text);

// Texts of messages.
// All of a response up to the members of its result, which follow as JSON, and two braces.
[[nodiscard]] std::string begin_response(const Json& id);
[[nodiscard]] std::string error_text(const Json& id, const RpcError& error);
[[nodiscard]] std::string notification_text(std::string_view method, const Json& params);
[[nodiscard]] std::string request_text(std::string_view id, std::string_view method,
                                       const Json& params);

}  // namespace toolhost::serve
