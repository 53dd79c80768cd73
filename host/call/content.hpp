// The one place that knows what a tool's reply may look like.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::call {

enum class ContentKind { text, json, image, audio, document, resource, resource_link };

// {"text": VALUE} and the like. The value has the form of its kind.
struct ContentBlock {
    ContentKind kind = ContentKind::text;
    Json value{};
    bool operator==(const ContentBlock&) const = default;
};
using Content = std::vector<ContentBlock>;

struct ContentInfo {
    ContentKind kind;
    std::string_view name;            // the one key of its blocks
    bool (*fits)(const Json& value);  // whether the value has the form of the kind
    std::string_view expected;        // that form, in words
    // The base64 of a file's bytes within a value that fits; null: it has none.
    const std::string* (*binary)(const Json& value);
};

// Every kind, in the order of the enumeration.
[[nodiscard]] std::span<const ContentInfo> content_table();
[[nodiscard]] const ContentInfo& content_info(ContentKind kind);

// JSON text of content blocks, [{"text": VALUE}, {"json": VALUE}, ...], checked.
[[nodiscard]] Result<Content> parse_content(std::string_view text);
// As a document, and as JSON text.
[[nodiscard]] Json to_json(const Content& content);
void append_content(std::string& out, const Content& content);

// The value of the first {"json"} block, which is what outputSchema speaks of; null if none.
[[nodiscard]] const Json* json_block(const Content& content);
[[nodiscard]] bool has_text(const Content& content);

}  // namespace toolhost::call
