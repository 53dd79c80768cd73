// Messages: the result of a prompt, in MCP's form. Messages().user("Look at this:").user(picture).
#ifndef TOOLHOST_MESSAGES_HPP
#define TOOLHOST_MESSAGES_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "toolhost/base64.hpp"
#include "toolhost/resource.hpp"

namespace toolhost {

// The content of one message: text, an embedded resource, an image or audio.
class MessageContent {
public:
    MessageContent(std::string text) : json_{{"type", "text"}, {"text", std::move(text)}} {}
    MessageContent(const char* text) : MessageContent(std::string(text)) {}
    MessageContent(const Resource& resource)
        : json_{{"type", "resource"}, {"resource", resource.json()}} {}
    // `bytes` are the file's content, `mime_type` as in "image/png".
    [[nodiscard]] static MessageContent image(std::string mime_type, std::string_view bytes) {
        return {"image", std::move(mime_type), bytes};
    }
    [[nodiscard]] static MessageContent audio(std::string mime_type, std::string_view bytes) {
        return {"audio", std::move(mime_type), bytes};
    }

    [[nodiscard]] const nlohmann::json& json() const noexcept { return json_; }

private:
    MessageContent(const char* type, std::string mime_type, std::string_view bytes)
        : json_{{"type", type}, {"data", base64(bytes)}, {"mimeType", std::move(mime_type)}} {}

    nlohmann::json json_;
};

class Messages {
public:
    Messages& user(const MessageContent& content) & { return add("user", content); }
    Messages&& user(const MessageContent& content) && { return std::move(add("user", content)); }
    Messages& assistant(const MessageContent& content) & { return add("assistant", content); }
    Messages&& assistant(const MessageContent& content) && {
        return std::move(add("assistant", content));
    }

    // The array of messages.
    [[nodiscard]] const nlohmann::json& json() const noexcept { return json_; }

private:
    Messages& add(const char* role, const MessageContent& content) {
        json_.push_back({{"role", role}, {"content", content.json()}});
        return *this;
    }

    nlohmann::json json_ = nlohmann::json::array();
};

}  // namespace toolhost

#endif  // TOOLHOST_MESSAGES_HPP
