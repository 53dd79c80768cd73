#include "host/serve/rpc.hpp"

#include <utility>

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

// Takes what Params has apart out of `all`, an object.
Params take_params(Json all) {
    Params params;
    const auto take = [&](const char* key) {
        const auto found = all.find(key);
        if (found == all.end()) return Json();
        Json value = std::move(*found);
        all.erase(found);
        return value;
    };
    if (const Json name = take("name"); name.is_string()) params.name = name.get<std::string>();
    params.arguments = take("arguments");
    if (Json meta = take("_meta"); meta.is_object()) params.meta = std::move(meta);
    if (!all.empty()) params.others = std::move(all);
    return params;
}

// Gives up where a name or `_meta` is of another type.
bool read_params(detail::QuickReader& reader, Params& params) {
    return reader.object_of([&](std::string_view key) {
        if (key == "name") {
            std::string_view name;
            if (!reader.text(name)) return false;
            params.name = name;
            return true;
        }
        if (key == "arguments") {
            std::string_view text;
            auto form = detail::TextForm::loose;
            if (!reader.value(params.arguments, text, form)) return false;
            params.is_canonical = form == detail::TextForm::canonical;
            params.arguments_text = form == detail::TextForm::loose ? std::string_view() : text;
            return true;
        }
        if (key == "_meta") return reader.value(params.meta) && params.meta.is_object();
        return reader.value(params.others[std::string(key)]);
    });
}

}  // namespace

std::string Params::text(std::string_view key) const {
    if (key == "name") return name;
    const auto& value = other(key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

const Json& Params::other(std::string_view key) const {
    static const Json missing;
    const auto found = others.find(key);
    return found == others.end() ? missing : *found;
}

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
        message.params = take_params(std::move(*params));
    }
    return message;
}

std::optional<Message> read_message_quickly(std::string_view text) {
    std::optional<Message> message(std::in_place);
    bool is_version_2 = false, has_params = false;
    detail::QuickReader reader(text, kMaxJsonDepth - 1);  // the message itself is one
    const bool read = reader.document_of([&](std::string_view key) {
        std::string_view word;
        if (key == "params") {
            if (std::exchange(has_params, true)) return false;
            return read_params(reader, message->params);
        }
        if (key == "id") return reader.value(message->id) && is_id(message->id);
        if (key != "method" && key != "jsonrpc") return false;
        const bool is_method = key == "method";
        if (!reader.text(word)) return false;
        if (is_method)
            message->method = word;
        else
            is_version_2 = word == "2.0";
        return true;
    });
    message->kind = message->id.is_null() ? Message::Kind::notification : Message::Kind::request;
    if (!read || !is_version_2 || message->method.empty() || is_too_long_id(message->id))
        message.reset();
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
