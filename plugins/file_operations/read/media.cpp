#include "read/media.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace file_operations {
namespace {

constexpr std::array<std::string_view, 9> formats{"pdf",  "csv",  "doc", "docx", "xls",
                                                  "xlsx", "html", "txt", "md"};

std::string extension_of(std::string_view name) {
    const auto dot = name.rfind('.');
    std::string out(dot == std::string_view::npos ? "" : name.substr(dot + 1));
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace

std::string_view image_format(std::string_view head) {
    if (head.starts_with("\x89PNG\r\n\x1A\n")) return "png";
    if (head.starts_with("\xFF\xD8\xFF")) return "jpeg";
    if (head.starts_with("GIF87a") || head.starts_with("GIF89a")) return "gif";
    if (head.starts_with("RIFF") && head.size() >= 12 && head.substr(8, 4) == "WEBP") return "webp";
    return {};
}

std::string document_format(std::string_view name) {
    const std::string extension = extension_of(name);
    if (extension == "htm") return "html";
    if (extension == "markdown") return "md";
    const bool known = std::find(formats.begin(), formats.end(), extension) != formats.end();
    return known ? extension : "txt";
}

std::string neutral_name(std::string_view name, std::string_view sha256) {
    const auto dot = name.rfind('.');
    std::string out;
    for (const char c : name.substr(0, dot == 0 ? name.size() : dot)) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (plain) {
            out += c;
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    if (out.empty()) out = "file";
    if (out.back() != '-') out += '-';
    return out + std::string(sha256.substr(0, 8));
}

}  // namespace file_operations
