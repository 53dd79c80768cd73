#include "body/kind.hpp"

#include <algorithm>
#include <cctype>

#include "body/charset.hpp"

namespace http_tool {
namespace {

using As = Kind::As;

struct Type {
    const char* name;
    As as;
    const char* format;
};
constexpr Type kTypes[] = {
    {"text/html", As::html, ""},
    {"application/xhtml+xml", As::html, ""},
    {"application/json", As::json, ""},
    {"text/json", As::json, ""},
    {"image/png", As::image, "png"},
    {"image/jpeg", As::image, "jpeg"},
    {"image/jpg", As::image, "jpeg"},
    {"image/gif", As::image, "gif"},
    {"image/webp", As::image, "webp"},
    {"image/svg+xml", As::text, ""},
    {"application/javascript", As::text, ""},
    {"application/xml", As::text, ""},
    {"application/yaml", As::text, ""},
    {"application/x-yaml", As::text, ""},
    {"application/toml", As::text, ""},
    {"application/sql", As::text, ""},
    {"application/graphql", As::text, ""},
    {"application/x-ndjson", As::text, ""},
    {"application/jsonl", As::text, ""},
    {"application/x-sh", As::text, ""},
    {"application/x-www-form-urlencoded", As::text, ""},
    {"application/pdf", As::document, "pdf"},
    {"application/msword", As::document, "doc"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", As::document,
     "docx"},
    {"application/vnd.ms-excel", As::document, "xls"},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", As::document, "xlsx"},
    {"application/zip", As::document, "zip"},
    {"application/gzip", As::document, "gz"},
};

struct Magic {
    std::string_view bytes;
    As as;
    const char* format;
};
constexpr Magic kMagic[] = {
    {"\x89PNG\r\n\x1A\n", As::image, "png"},
    {"\xFF\xD8\xFF", As::image, "jpeg"},
    {"GIF8", As::image, "gif"},
    {"%PDF-", As::document, "pdf"},
    {"PK\x03\x04", As::document, "zip"},
};

std::string bare_type(std::string_view content_type) {
    std::string type(content_type.substr(0, content_type.find(';')));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::transform(type.begin(), type.end(), type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return type;
}

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

Kind by_type(const std::string& type) {
    for (const auto& row : kTypes)
        if (type == row.name) return {row.as, row.format};
    if (ends_with(type, "+json")) return {As::json, ""};
    if (ends_with(type, "+xml") || type.rfind("text/", 0) == 0) return {As::text, ""};
    if (type.empty() || type == "application/octet-stream" || type == "binary/octet-stream")
        return {};
    return {As::document, "bin"};
}

bool has_control(std::string_view bytes) {
    return std::any_of(bytes.begin(), bytes.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1B';
    });
}

// For a body without a Content-Type.
Kind by_bytes(std::string_view body) {
    for (const auto& magic : kMagic)
        if (body.substr(0, magic.bytes.size()) == magic.bytes) return {magic.as, magic.format};
    if (body.substr(0, 4) == "RIFF" && body.substr(8, 4) == "WEBP") return {As::image, "webp"};
    const auto first = body.find_first_not_of(" \t\r\n");
    const std::string head = bare_type(body.substr(std::min(first, body.size()), 14));
    if (head.rfind("<!doctype html", 0) == 0 || head.rfind("<html", 0) == 0) return {As::html, ""};
    if (is_utf8(body) && !has_control(body)) return {As::text, ""};
    return {As::document, "bin"};
}

}  // namespace

Kind kind_of(std::string_view content_type, std::string_view body) {
    if (body.empty()) return {};
    const Kind said = by_type(bare_type(content_type));
    return said.as == As::none ? by_bytes(body) : said;
}

bool is_text_type(std::string_view content_type) {
    const As as = by_type(bare_type(content_type)).as;
    return as == As::text || as == As::json || as == As::html;
}

std::string document_name(std::string_view path) {
    while (!path.empty() && path.back() == '/') path.remove_suffix(1);
    path = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
    path = path.substr(0, path.rfind('.'));
    std::string name;
    for (const char c : path.substr(0, 100))
        name += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    return name.empty() ? "body" : name;
}

}  // namespace http_tool
