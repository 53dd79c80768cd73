#include "host/call/content.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

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

const std::string* no_bytes(const Json&) {
    return nullptr;
}

const std::string* file_bytes(const Json& file) {
    return file.at("source").at("bytes").get_ptr<const std::string*>();
}

const std::string* resource_bytes(const Json& resource) {
    const auto blob = resource.find("blob");
    return blob == resource.end() ? nullptr : blob->get_ptr<const std::string*>();
}

constexpr std::array kKinds = {
    ContentInfo{ContentKind::text, "text", is_text, "a string", no_bytes},
    ContentInfo{ContentKind::json, "json", is_any, "anything", no_bytes},
    ContentInfo{ContentKind::image, "image", is_file, "an object with format and source.bytes",
                file_bytes},
    ContentInfo{ContentKind::audio, "audio", is_file, "an object with format and source.bytes",
                file_bytes},
    ContentInfo{ContentKind::document, "document", is_file,
                "an object with format, name and source.bytes", file_bytes},
    ContentInfo{ContentKind::resource, "resource", is_resource,
                "an object with uri and either text or blob", resource_bytes},
    ContentInfo{ContentKind::resource_link, "resourceLink", is_resource_link,
                "an object with uri and name", no_bytes},
};

const ContentInfo* find_kind(std::string_view name) {
    const auto* found = std::ranges::find(kKinds, name, &ContentInfo::name);
    return found == kKinds.end() ? nullptr : found;
}

std::string kinds(std::string_view last_separator) {
    std::string out;
    for (const auto& known : kKinds) {
        if (&known != &kKinds.front())
            out += &known == &kKinds.back() ? last_separator : std::string_view(", ");
        out += known.name;
    }
    return out;
}

std::string block_fault(const Json& block) {
    if (!block.is_object() || block.size() != 1)
        return "must be an object with one key: " + kinds(" or ");
    const std::string& name = block.begin().key();
    if (const auto* known = find_kind(name))
        return known->fits(block.begin().value())
                   ? ""
                   : "'s " + name + " must be " + std::string(known->expected);
    // The name is the tool's: shortened between characters, and quoted.
    std::string shown = name.substr(0, 40);
    shown.resize(std::min(find_invalid_utf8(shown), shown.size()));
    return "has the unknown kind " + dump(shown) + "; known kinds: " + kinds(", ");
}

}  // namespace

std::span<const ContentInfo> content_table() {
    return kKinds;
}

const ContentInfo& content_info(const Json& block) {
    const auto* known =
        block.is_object() && block.size() == 1 ? find_kind(block.begin().key()) : nullptr;
    if (!known) throw std::logic_error("a content block of an unknown kind");
    return *known;
}

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
