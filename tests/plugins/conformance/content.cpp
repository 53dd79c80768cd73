#include <string>

#include "tools.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using toolhost::Reply;
using toolhost::Resource;

constexpr unsigned char kPixel[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xf7, 0x03, 0x41,
    0x43, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

// RIFF, mono, 8 bit, 8 kHz: the header and four samples.
constexpr unsigned char kSilence[] = {'R',  'I',  'F', 'F', 40,   0,    0, 0, 'W', 'A', 'V', 'E',
                                      'f',  'm',  't', ' ', 16,   0,    0, 0, 1,   0,   1,   0,
                                      0x40, 0x1f, 0,   0,   0x40, 0x1f, 0, 0, 1,   0,   8,   0,
                                      'd',  'a',  't', 'a', 4,    0,    0, 0, 128, 128, 128, 128};

template <std::size_t N>
std::string_view bytes_of(const unsigned char (&bytes)[N]) {
    return {reinterpret_cast<const char*>(bytes), N};
}

}  // namespace

std::string_view red_pixel_png() {
    return bytes_of(kPixel);
}

std::string_view silence_wav() {
    return bytes_of(kSilence);
}

toolhost::Tool simple_text() {
    return toolhost::tool("test_simple_text", "Returns a text.", [] {
        return std::string("This is a simple text response for testing.");
    });
}

toolhost::Tool image_content() {
    return toolhost::tool("test_image_content", "Returns an image.",
                          [] { return Reply().image("png", red_pixel_png()); });
}

toolhost::Tool audio_content() {
    return toolhost::tool("test_audio_content", "Returns a sound.",
                          [] { return Reply().audio("wav", silence_wav()); });
}

toolhost::Tool embedded_resource() {
    return toolhost::tool("test_embedded_resource", "Returns a resource, whole.", [] {
        return Reply().resource(Resource::text(
            "test://embedded-resource", "This is an embedded resource content.", "text/plain"));
    });
}

toolhost::Tool multiple_content_types() {
    return toolhost::tool("test_multiple_content_types", "Returns several kinds of content.", [] {
        return Reply()
            .text("Multiple content types test:")
            .image("png", red_pixel_png())
            .resource(Resource::text("test://mixed-content-resource",
                                     R"({"test":"data","value":123})", "application/json"));
    });
}

toolhost::Tool error_handling() {
    return toolhost::tool("test_error_handling", "Always fails.", []() -> std::string {
        throw toolhost::ToolError("intended", "This tool intentionally returns an error for testing");
    });
}

// Listed as written here, with every keyword.
toolhost::Tool json_schema_2020_12() {
    return toolhost::raw(R"({
        "name": "json_schema_2020_12_tool",
        "description": "Tool with JSON Schema 2020-12 features",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
                "street": {"type": "string"}, "city": {"type": "string"}}}},
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"}},
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}},
                   "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": false}})",
                         [](const json& input) { return "read: " + input.dump(); });
}

// An argument that HTTP clients repeat in a header for proxies.
toolhost::Tool mirrored_header() {
    return toolhost::raw(R"({
        "name": "test_mirrored_header",
        "description": "Says the region it was called for.",
        "inputSchema": {"type": "object", "required": ["region"], "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"}}}})",
                         [](const json& input) { return input.at("region").get<std::string>(); });
}

}  // namespace conformance
