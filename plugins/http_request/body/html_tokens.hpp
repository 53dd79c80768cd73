// Splits HTML into tokens: text, opening tags, closing tags. Skips comments, declarations and the
// content of scripts etc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http_tool {

// White space in HTML.
[[nodiscard]] inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

struct HtmlToken {
    enum class Kind { text, open, close };
    Kind kind = Kind::text;
    std::string_view text;  // of a text token, with entities
    std::string name;       // of a tag, in lower case
    std::vector<std::pair<std::string, std::string_view>> attributes;

    // As written; empty if missing.
    [[nodiscard]] std::string_view attribute(std::string_view wanted) const;
};

class HtmlTokens {
public:
    explicit HtmlTokens(std::string_view html) : html_(html) {}

    // Reads every byte a limited number of times.
    [[nodiscard]] std::optional<HtmlToken> next();

private:
    void pass_over(std::string_view end);
    void pass_over_element(const std::string& name);
    HtmlToken read_tag();
    void read_attribute(HtmlToken& token);
    [[nodiscard]] char at(std::size_t offset) const {
        return at_ + offset < html_.size() ? html_[at_ + offset] : '\0';
    }

    std::string_view html_;
    std::size_t at_ = 0;
};

// Replaces entities (&amp; &#233; &#xE9; &nbsp;) by their characters.
[[nodiscard]] std::string without_entities(std::string_view text);

}  // namespace http_tool
