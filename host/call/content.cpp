#include "host/call/content.hpp"

#include "host/base/json_text.hpp"
#include "host/call/bounds.hpp"

namespace toolhost::call {
namespace {

Error invalid(std::string message) {
    return {ErrorCode::invalid_reply, "the tool's reply: " + std::move(message), {}};
}

Error too_large(std::string message, std::size_t allowed) {
    return {ErrorCode::output_too_large,
            "the tool's reply: " + std::move(message),
            {{"allowed", allowed}}};
}

bool is_text(const Json& value) {
    return value.is_string();
}

bool is_any(const Json&) {
    return true;
}

// {"format": "png", "source": {"bytes": base64}}, a document with a "name" besides.
bool is_file(const Json& value) {
    if (!value.is_object()) return false;
    auto format = value.find("format"), source = value.find("source");
    return format != value.end() && format->is_string() && source != value.end() &&
           source->is_object() && source->contains("bytes") && source->at("bytes").is_string();
}

bool is_text_at(const Json& object, const char* key) {
    auto it = object.find(key);
    return it != object.end() && it->is_string();
}

// {"uri", "mimeType"?, "text" | "blob"}: what lies at the uri, as text or as base64.
bool is_resource(const Json& value) {
    if (!value.is_object() || !is_text_at(value, "uri")) return false;
    if (value.contains("mimeType") && !is_text_at(value, "mimeType")) return false;
    return value.contains("text") != value.contains("blob") &&
           (is_text_at(value, "text") || is_text_at(value, "blob"));
}

// {"uri", "name", "title"?, "description"?, "mimeType"?, "size"?}: where to look, and no content.
bool is_resource_link(const Json& value) {
    if (!value.is_object() || !is_text_at(value, "uri") || !is_text_at(value, "name")) return false;
    for (const char* key : {"title", "description", "mimeType"})
        if (value.contains(key) && !is_text_at(value, key)) return false;
    auto size = value.find("size");
    return size == value.end() || size->is_number_unsigned();
}

struct Kind {
    const char* name;
    bool (*fits)(const Json&);
    const char* expected;
};
constexpr Kind kKinds[] = {
    {"text", is_text, "a string"},
    {"json", is_any, "anything"},
    {"image", is_file, "an object with format and source.bytes"},
    {"audio", is_file, "an object with format and source.bytes"},
    {"document", is_file, "an object with format, name and source.bytes"},
    {"resource", is_resource, "an object with uri and either text or blob"},
    {"resourceLink", is_resource_link, "an object with uri and name"},
};

std::string kinds(std::string_view last_separator) {
    std::string out;
    for (const auto& kind : kKinds) {
        if (&kind != std::begin(kKinds))
            out += &kind + 1 == std::end(kKinds) ? last_separator : ", ";
        out += kind.name;
    }
    return out;
}

std::string block_fault(const Json& block) {
    if (!block.is_object() || block.size() != 1)
        return "must be an object with one key: " + kinds(" or ");
    const std::string& name = block.begin().key();
    for (const auto& kind : kKinds) {
        if (name != kind.name) continue;
        return kind.fits(block.begin().value())
                   ? ""
                   : "'s " + name + " must be " + std::string(kind.expected);
    }
    // The name is the tool's: shortened between characters, and quoted.
    std::string shown = name.substr(0, 40);
    shown.resize(std::min(find_invalid_utf8(shown), shown.size()));
    return "has the unknown kind " + dump(shown) + "; known kinds: " + kinds(", ");
}

}  // namespace

Result<Json> parse_content(std::string_view text) {
    auto content = parse_json(text);
    if (!content && content.error().kind == JsonFault::Kind::too_large)
        return too_large("it has more than " + std::to_string(kMaxJsonValues) + " values",
                         kMaxJsonValues);
    if (!content) return invalid("not JSON: " + content.error().message);
    if (!content->is_array())
        return invalid(std::string("must be an array of content blocks, but is ") +
                       content->type_name());
    if (content->size() > kMaxBlocks)
        return too_large("it has " + std::to_string(content->size()) + " blocks; " +
                             std::to_string(kMaxBlocks) + " are allowed",
                         kMaxBlocks);
    for (std::size_t i = 0; i < content->size(); ++i)
        if (auto fault = block_fault((*content)[i]); !fault.empty())
            return invalid("block " + std::to_string(i) + (fault[0] == '\'' ? "" : " ") + fault);
    return *std::move(content);
}

const Json* json_block(const Json& content) {
    for (const auto& block : content)
        if (auto it = block.find("json"); it != block.end()) return &*it;
    return nullptr;
}

}  // namespace toolhost::call
