#include "host/serve/rpc.hpp"

#include "host/base/json_text.hpp"
#include "toolhost/parse_json.hpp"

namespace toolhost::serve {
namespace {

using namespace std::string_view_literals;

// Of most responses: the text grows only for others.
constexpr std::size_t kUsualBytes = 500;

RpcError invalid(std::string message) {
    return {rpc_code::kInvalidRequest, "Invalid request: " + std::move(message)};
}

}  // namespace

bool is_id(const Json& id) {
    return id.is_string() || id.is_number_integer();
}

bool is_too_long_id(const Json& id) {
    return id.is_string() && id.get_ref<const std::string&>().size() > kMaxIdBytes;
}

boost::system::result<Message, MessageFault> read_message(Json document) {
    if (!document.is_object()) return MessageFault{{}, invalid("a message must be a JSON object")};
    Message message;
    const auto id = document.find("id");
    const bool has_id = id != document.end();
    if (has_id) {
        if (!is_id(*id))
            return MessageFault{{},
                                invalid("the id must be a string or an integer, but is " +
                                        std::string(id->type_name()))};
        if (is_too_long_id(*id)) return MessageFault{{}, invalid("the id has more than 256 bytes")};
        message.id = *id;
    }
    const auto version = document.find("jsonrpc");
    if (version == document.end() || !version->is_string() ||
        *version->get_ptr<const std::string*>() != "2.0")
        return MessageFault{message.id, invalid("\"jsonrpc\" must be \"2.0\"")};
    const auto method = document.find("method");
    if (method == document.end()) {
        const auto result = document.find("result"), error = document.find("error");
        if ((result == document.end()) == (error == document.end()) || !has_id)
            return MessageFault{message.id, invalid("missing \"method\", and not a response")};
        message.kind = Message::Kind::response;
        if (result != document.end())
            message.result = std::move(*result);
        else
            message.error = error->is_null() ? Json::object() : std::move(*error);
        return message;
    }
    if (!method->is_string())
        return MessageFault{message.id, invalid("\"method\" must be a string")};
    message.method = std::move(method->get_ref<std::string&>());
    message.kind = has_id ? Message::Kind::request : Message::Kind::notification;
    if (const auto params = document.find("params"); params != document.end()) {
        if (!params->is_object())
            return MessageFault{
                message.id,
                {rpc_code::kInvalidParams, "Invalid params: \"params\" must be an object"}};
        message.params = std::move(*params);
    } else {
        message.params = Json::object();
    }
    return message;
}

std::optional<Message> read_message_quickly(std::string_view text) {
    std::optional<Message> message(std::in_place);
    std::string version;
    detail::QuickReader reader(text, kMaxJsonDepth - 1);  // the message itself is one
    const bool read = reader.document_of([&](std::string_view key) {
        if (key == "method") return reader.string(message->method);
        if (key == "jsonrpc") return reader.string(version);
        if (key == "id") return reader.value(message->id) && is_id(message->id);
        return key == "params" && reader.value(message->params) && message->params.is_object();
    });
    if (!read || version != "2.0" || message->method.empty() || is_too_long_id(message->id))
        return std::nullopt;
    if (message->params.is_null()) message->params = Json::object();
    message->kind = message->id.is_null() ? Message::Kind::notification : Message::Kind::request;
    return message;
}

std::string begin_response(const Json& id) {
    std::string text;
    text.reserve(kUsualBytes);
    text += R"({"jsonrpc":"2.0","id":)"sv;
    append_json(text, id);
    text += R"(,"result":{)"sv;
    return text;
}

std::string error_text(const Json& id, const RpcError& error) {
    Json body{{"code", error.code}, {"message", error.message}};
    if (!error.data.is_null()) body["data"] = error.data;
    return R"({"jsonrpc":"2.0","id":)" + dump(id) + R"(,"error":)" + dump(body) + '}';
}

std::string notification_text(std::string_view method, const Json& params) {
    return dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

std::string request_text(std::string_view id, std::string_view method, const Json& params) {
    return dump({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

}  // namespace toolhost::serve
