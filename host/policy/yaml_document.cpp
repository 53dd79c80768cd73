#include "host/policy/yaml_document.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "host/base/json_text.hpp"
#include "host/policy/yaml_builder.hpp"

namespace toolhost::policy {

namespace {

// Appends an end marker. Without it the parser silently lets an unclosed quote include the rest of
// the text, and possibly a denial.
std::string with_end(std::string_view text) {
    return std::string(text) + (text.empty() || text.ends_with('\n') ? "...\n" : "\n...\n");
}

}  // namespace

std::string pointer_step(std::string_view key) {
    std::string out = "/";
    for (char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

Place YamlDocument::place(std::string pointer) const {
    for (;; pointer.resize(pointer.rfind('/'))) {
        if (auto it = places.find(pointer); it != places.end()) return it->second;
        if (pointer.rfind('/') == std::string::npos) return {file, 0, 0};
    }
}

Place YamlDocument::key_place(const std::string& pointer) const {
    auto it = keys.find(pointer);
    return it == keys.end() ? place(pointer) : it->second;
}

boost::system::result<YamlDocument, Fault> parse_yaml(std::string_view text,
                                                      const std::string& file) {
    if (text.size() > kMaxYamlBytes)
        return Fault{{file, 0, 0}, "larger than " + std::to_string(kMaxYamlBytes) + " bytes", ""};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (auto at = find_invalid_utf8(text); at != std::string_view::npos)
        return Fault{TextPosition(text, file).at_byte(at), "not valid UTF-8", ""};
    // YAML allows no other control characters, and the parser interprets a NUL as the end or as
    // UTF-16.
    const auto control = std::find_if(text.begin(), text.end(), [](char c) {
        return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
    });
    if (control != text.end())
        return Fault{
            TextPosition(text, file).at_byte(static_cast<std::size_t>(control - text.begin())),
            "a control character", ""};

    YamlBuilder builder(text, file);
    try {
        std::istringstream stream(with_end(text));
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
        return builder.take();
    } catch (const Refused& refused) {
        return refused.fault;
    } catch (const YAML::Exception& fault) {
        const bool open_quote = fault.msg == YAML::ErrorMsg::DOC_IN_SCALAR ||
                                fault.msg == YAML::ErrorMsg::EOF_IN_SCALAR;
        return Fault{builder.place(fault.mark),
                     "not YAML: " + (open_quote ? "a quote is never closed" : fault.msg), ""};
    } catch (const std::exception& fault) {
        return Fault{{file, 0, 0}, std::string("not YAML: ") + fault.what(), ""};
    }
}

}  // namespace toolhost::policy
