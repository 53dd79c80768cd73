// Resource and ResourceLink: the content of a uri, and a reference to it. Forms and names are
// MCP's.
#ifndef TOOLHOST_RESOURCE_HPP
#define TOOLHOST_RESOURCE_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "toolhost/base64.hpp"

namespace toolhost {

// {"uri", "mimeType"?, "text" | "blob"}
class Resource {
public:
    [[nodiscard]] static Resource text(std::string uri, std::string text,
                                       std::string mime_type = {}) {
        return {std::move(uri), "text", std::move(text), std::move(mime_type)};
    }
    // `bytes` are the file's content.
    [[nodiscard]] static Resource blob(std::string uri, std::string_view bytes,
                                       std::string mime_type = {}) {
        return {std::move(uri), "blob", base64(bytes), std::move(mime_type)};
    }

    [[nodiscard]] const nlohmann::json& json() const noexcept { return json_; }

private:
    Resource(std::string uri, const char* key, std::string content, std::string mime_type)
        : json_{{"uri", std::move(uri)}} {
        json_[key] = std::move(content);
        if (!mime_type.empty()) json_["mimeType"] = std::move(mime_type);
    }

    nlohmann::json json_;
};

// {"uri", "name", "title"?, "description"?, "mimeType"?, "size"?}
struct ResourceLink {
    std::string uri;
    std::string name;
    std::string title = {};
    std::string description = {};
    std::string mime_type = {};
    std::optional<std::uint64_t> size = {};  // in bytes

    [[nodiscard]] nlohmann::json json() const {
        nlohmann::json out{{"uri", uri}, {"name", name}};
        if (!title.empty()) out["title"] = title;
        if (!description.empty()) out["description"] = description;
        if (!mime_type.empty()) out["mimeType"] = mime_type;
        if (size) out["size"] = *size;
        return out;
    }
};

}  // namespace toolhost

#endif  // TOOLHOST_RESOURCE_HPP
