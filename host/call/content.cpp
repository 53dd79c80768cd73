#include "host/call/content.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "host/base/json_text.hpp"
#include "host/call/bounds.hpp"
#include "toolhost/parse_json.hpp"

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

constexpr std::size_t kUsualBlocks = 2;

// Gives up on whatever is not as replies nearly always are.
std::optional<Content> read_quickly(std::string_view text) {
    std::optional<Content> content(std::in_place);
    if (has_more_values(text, kMaxJsonValues)) return std::nullopt;
    detail::QuickReader reader(text, kMaxJsonDepth);
    const auto read_block = [&] {
        const auto index = content->size();
        const bool read = reader.object_of([&](std::string_view name) {
            const auto* known = find_kind(name);
            if (!known || content->size() > index) return false;
            if (index == 0) content->reserve(kUsualBlocks);
            auto& block = content->emplace_back();
            block.kind = known->kind;
            return reader.value(block.value) && known->fits(block.value);
        });
        return read && content->size() == index + 1 && index < kMaxBlocks;
    };
    if (!reader.document_of_elements(read_block)) content.reset();
    return content;
}

}  // namespace

std::span<const ContentInfo> content_table() {
    return kKinds;
}

const ContentInfo& content_info(ContentKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

Result<Content> parse_content(std::string_view text) {
    if (auto read = read_quickly(text)) return *std::move(read);
    auto document = parse_json(text);
    if (!document && document.error().kind == JsonFault::Kind::too_large)
        return too_large("it has more than " + std::to_string(kMaxJsonValues) + " values",
                         kMaxJsonValues);
    if (!document) return invalid("not JSON: " + document.error().message);
    if (!document->is_array())
        return invalid(std::string("must be an array of content blocks, but is ") +
                       document->type_name());
    if (document->size() > kMaxBlocks)
        return too_large("it has " + std::to_string(document->size()) + " blocks; " +
                             std::to_string(kMaxBlocks) + " are allowed",
                         kMaxBlocks);
    Content content;
    for (auto& block : *document) {
        if (auto fault = block_fault(block); !fault.empty())
            return invalid("block " + std::to_string(content.size()) +
                           (fault[0] == '\'' ? "" : " ") + fault);
        const auto only = block.begin();
        content.push_back({find_kind(only.key())->kind, std::move(only.value())});
    }
    return content;
}

Json to_json(const Content& content) {
    Json out = Json::array();
    for (const auto& [kind, value] : content)
        out.push_back({{std::string(content_info(kind).name), value}});
    return out;
}

void append_content(std::string& out, const Content& content) {
    char before = '[';
    for (const auto& [kind, value] : content) {
        out += std::exchange(before, ',');
        out += '{';
        append_json_text(out, content_info(kind).name);
        out += ':';
        append_json(out, value);
        out += '}';
    }
    out += before == '[' ? "[]" : "]";
}

const Json* json_block(const Content& content) {
    const auto found = std::ranges::find(content, ContentKind::json, &ContentBlock::kind);
    return found == content.end() ? nullptr : &found->value;
}

bool has_text(const Content& content) {
    return std::ranges::find(content, ContentKind::text, &ContentBlock::kind) != content.end();
}

}  // namespace toolhost::call
