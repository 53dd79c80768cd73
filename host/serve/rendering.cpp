#include "host/serve/rendering.hpp"

#include <stdexcept>

#include "host/base/json_text.hpp"
#include "host/call/content.hpp"

namespace toolhost::serve {
namespace {

using namespace std::string_view_literals;

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

Json render_audio(const Json& audio, Revision revision) {
    if (revision < Revision::r2025_03_26)
        return text_block("[audio, which this client's revision of MCP does not support]");
    return media("audio", audio);
}

Json render_document(const Json& document) {
    const std::string format = document.at("format").get<std::string>();
    const auto named = document.find("name");
    const std::string name =
        named != document.end() && named->is_string() ? named->get<std::string>() : "document";
    return embedded({{"uri", "toolhost://documents/" + name + '.' + format},
                     {"mimeType", mime_of(format, "")},
                     {"blob", document.at("source").at("bytes")}});
}

Json render_link(const Json& link, Revision revision) {
    if (revision < Revision::r2025_06_18) return text_block(link.at("uri").get<std::string>());
    Json block = link;
    block["type"] = "resource_link";
    return block;
}

// text and json blocks are rendered by render_result() itself.
Json render_block(call::ContentKind kind, const Json& value, Revision revision) {
    using enum call::ContentKind;
    switch (kind) {
        case image:
            return media("image", value);
        case audio:
            return render_audio(value, revision);
        case document:
            return render_document(value);
        case resource:
            return embedded(value);
        case resource_link:
            return render_link(value, revision);
        case text:
        case json:
            break;
    }
    throw std::logic_error("not a block of its own");
}

void begin_block(std::string& content) {
    if (content.back() != '[') content += ',';
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
    // Clients require a schema of an object, and report an error otherwise.
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

void render_result(const call::ToolResult& result, Revision revision, ResultText& out) {
    auto& text = out.text;
    out.begin_member("content");
    text += '[';
    const Json* structured = nullptr;
    std::string structured_text;  // written once for both its places, if it has two
    const bool told = call::has_text(result.content);
    const bool gives_structured = revision >= Revision::r2025_06_18;
    auto add_text = [&](const std::string& shown) {
        begin_block(text);
        text += R"({"type":"text","text":)"sv;
        append_json_text(text, shown);
        text += '}';
    };
    for (const auto& [kind, value] : result.content) {
        if (kind == call::ContentKind::text) {
            add_text(*value.get_ptr<const std::string*>());
        } else if (kind == call::ContentKind::json) {
            const bool is_first =
                !structured && gives_structured && may_be_structured(value, revision);
            if (is_first) structured = &value;
            if (told) continue;
            // For those that read text only, where nothing else says it.
            auto json = dump(value);
            add_text(json);
            if (is_first) structured_text = std::move(json);
        } else {
            begin_block(text);
            append_json(text, render_block(kind, value, revision));
        }
    }
    text += ']';
    if (structured) {
        out.begin_member("structuredContent");
        if (told)
            append_json(text, *structured);
        else
            text += structured_text;
    }
    if (result.error) {
        out.begin_member("isError");
        text += "true";
        out.meta[kErrorKey] = to_json(*result.error);
    }
    if (result.truncated)
        out.meta["toolhost/truncated"] = {{"shownChars", result.truncated->shown_chars},
                                          {"totalChars", result.truncated->total_chars}};
}

}  // namespace toolhost::serve
