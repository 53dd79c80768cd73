#include "host/serve/rendering.hpp"

#include "host/registry/json_text.hpp"

namespace toolhost::serve {
namespace {

struct Format {
    std::string_view format, mime;
};
constexpr Format kFormats[] = {
    {"txt", "text/plain"},
    {"md", "text/markdown"},
    {"html", "text/html"},
    {"csv", "text/csv"},
    {"pdf", "application/pdf"},
    {"json", "application/json"},
    {"svg", "image/svg+xml"},
    {"jpg", "image/jpeg"},
    {"mp3", "audio/mpeg"},
    {"doc", "application/msword"},
    {"xls", "application/vnd.ms-excel"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
};

std::string mime_of(const std::string& format, const char* family) {
    for (const auto& known : kFormats)
        if (known.format == format) return std::string(known.mime);
    return format.find('/') != format.npos ? format
           : *family                       ? std::string(family) + '/' + format
                                           : "application/octet-stream";
}

Json text_block(std::string text) {
    return {{"type", "text"}, {"text", std::move(text)}};
}

Json media(const char* type, const Json& file) {
    return {{"type", type},
            {"data", file.at("source").at("bytes")},
            {"mimeType", mime_of(file.at("format").get<std::string>(), type)}};
}

Json embedded(Json resource) {
    return {{"type", "resource"}, {"resource", std::move(resource)}};
}

Json render_image(const Json& image, Revision) {
    return media("image", image);
}

Json render_audio(const Json& audio, Revision revision) {
    if (revision < Revision::r2025_03_26)
        return text_block("[audio, which this client's revision of MCP does not have]");
    return media("audio", audio);
}

Json render_document(const Json& document, Revision) {
    const std::string format = document.at("format").get<std::string>();
    const auto named = document.find("name");
    const std::string name =
        named != document.end() && named->is_string() ? named->get<std::string>() : "document";
    return embedded({{"uri", "toolhost://documents/" + name + '.' + format},
                     {"mimeType", mime_of(format, "")},
                     {"blob", document.at("source").at("bytes")}});
}

Json render_resource(const Json& resource, Revision) {
    return embedded(resource);
}

Json render_link(const Json& link, Revision revision) {
    if (revision < Revision::r2025_06_18) return text_block(link.at("uri").get<std::string>());
    Json block = link;
    block["type"] = "resource_link";
    return block;
}

struct Kind {
    const char* name;
    Json (*render)(const Json&, Revision);
};
constexpr Kind kKinds[] = {
    {"image", render_image},       {"document", render_document}, {"audio", render_audio},
    {"resource", render_resource}, {"resourceLink", render_link},
};

bool has_text(const Json& content) {
    for (const auto& block : content)
        if (block.contains("text")) return true;
    return false;
}

// A structured answer is an object, until 2026-07-28.
bool may_be_structured(const Json& value, Revision revision) {
    return value.is_object() || is_stateless(revision);
}

bool may_promise(const Json& schema, Revision revision) {
    if (revision < Revision::r2025_06_18) return false;
    return is_stateless(revision) || schema.value("type", Json()) == "object";
}

}  // namespace

Json render_tool(const registry::Tool& tool, const std::string& name, Revision revision) {
    const auto& spec = tool.spec;
    Json out{
        {"name", name}, {"description", spec.description}, {"inputSchema", spec.input_schema()}};
    // Clients hold a schema to be an object's, and say so where it does not.
    if (!out["inputSchema"].contains("type")) out["inputSchema"]["type"] = "object";
    if (const Json* schema = spec.output_schema(); schema && may_promise(*schema, revision))
        out["outputSchema"] = *schema;
    const Json* annotations = spec.find("annotations");
    if (annotations && revision >= Revision::r2025_03_26) out["annotations"] = *annotations;
    if (revision >= Revision::r2025_06_18) {
        if (const Json* title = spec.find("title"))
            out["title"] = *title;
        else if (annotations && annotations->contains("title"))
            out["title"] = annotations->at("title");
        Json about{{"version", spec.version.text()}, {"family", spec.family}};
        if (!spec.category.empty()) about["category"] = spec.category;
        out["_meta"] = {{"toolhost/tool", std::move(about)}};
    }
    return out;
}

Json render_result(call::ToolResult result, Revision revision) {
    Json content = Json::array();
    Json out;
    const bool told = has_text(result.content);
    for (auto& block : result.content) {
        if (block.contains("text")) {
            block["type"] = "text";
            content.push_back(std::move(block));
        } else if (const auto json = block.find("json"); json != block.end()) {
            // For those that read text only, where nothing else says it.
            if (!told) content.push_back(text_block(dump(*json)));
            if (!out.contains("structuredContent") && may_be_structured(*json, revision) &&
                revision >= Revision::r2025_06_18)
                out["structuredContent"] = std::move(*json);
        } else {
            for (const auto& kind : kKinds)
                if (const auto it = block.find(kind.name); it != block.end())
                    content.push_back(kind.render(*it, revision));
        }
    }
    out["content"] = std::move(content);
    if (result.error) {
        out["isError"] = true;
        out["_meta"][kErrorKey] = to_json(*result.error);
    }
    if (result.truncated)
        out["_meta"]["toolhost/truncated"] = {{"shownChars", result.truncated->shown_chars},
                                              {"totalChars", result.truncated->total_chars}};
    return out;
}

}  // namespace toolhost::serve
