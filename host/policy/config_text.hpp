// A config file's text with its parsed YAML, and where in the bytes its parts are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/policy/yaml_document.hpp"

namespace toolhost::policy {

class ConfigText {
public:
    ConfigText(std::string text, YamlDocument document)
        : text_(std::move(text)), document_(std::move(document)) {}

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const Json& value() const { return document_.value; }
    [[nodiscard]] const YamlDocument& document() const { return document_; }
    // The list of a key of `grants`; null: not found.
    [[nodiscard]] const Json* list(const std::string& key) const;

    // Byte offsets; npos where the place is not known.
    [[nodiscard]] std::size_t value_at(const std::string& pointer) const;
    [[nodiscard]] std::size_t key_at(const std::string& pointer) const;
    [[nodiscard]] bool has(std::size_t offset, char c) const {
        return offset < text_.size() && text_[offset] == c;
    }
    // Of the line that a byte is in: its first byte, and the first byte of the next line.
    [[nodiscard]] std::size_t line_start(std::size_t offset) const;
    [[nodiscard]] std::size_t next_line(std::size_t offset) const;
    // Behind the scalar that begins there, of a list in brackets.
    [[nodiscard]] std::size_t scalar_end(std::size_t offset) const;
    // What stands before a byte on its line.
    [[nodiscard]] std::string_view before(std::size_t offset) const;
    [[nodiscard]] const char* line_end() const {
        return text_.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    }

    [[nodiscard]] std::string inserted(std::size_t offset, std::string_view what) const;
    [[nodiscard]] std::string erased(std::size_t first, std::size_t last) const;

private:
    [[nodiscard]] std::size_t offset_of(const Place& place) const;

    std::string text_;
    YamlDocument document_;
};

// A word or a key as YAML reads it back, quoted where it must be.
[[nodiscard]] std::string yaml_text(const std::string& word);
// "[network, exec]", without the brackets.
[[nodiscard]] std::string yaml_items(const std::vector<std::string>& words);

}  // namespace toolhost::policy
