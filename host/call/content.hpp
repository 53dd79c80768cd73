// The one place that knows what a tool's reply may look like.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::call {

enum class ContentKind { text, json, image, audio, document, resource, resource_link };

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
// That of a block of checked content. Throws for any other value.
[[nodiscard]] const ContentInfo& content_info(const Json& block);

// JSON text of content blocks, [{"text": VALUE}, {"json": VALUE}, ...], checked.
[[nodiscard]] Result<Json> parse_content(std::string_view text);

// The value of the first {"json"} block, which is what outputSchema speaks of; null if none.
[[nodiscard]] const Json* json_block(const Json& content);

}  // namespace toolhost::call
