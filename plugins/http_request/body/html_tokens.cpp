#include "body/html_tokens.hpp"

#include <algorithm>
#include <array>

namespace http_tool {
namespace {

constexpr std::size_t kMaxAttributes = 64;

// Their content is not HTML, or is not displayed.
constexpr std::array kRaw{"script", "style",   "textarea", "title", "noscript",
                          "iframe", "noembed", "noframes", "xmp"};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view HtmlToken::attribute(std::string_view wanted) const {
    for (const auto& one : attributes)
        if (one.first == wanted) return one.second;
    return {};
}

std::optional<HtmlToken> HtmlTokens::next() {
    while (at_ < html_.size()) {
        if (at(0) != '<' || !(is_letter(at(1)) || at(1) == '!' || at(1) == '?' ||
                              (at(1) == '/' && is_letter(at(2))))) {
            const std::size_t start = at_;
            // A '<' that does not start a tag is text, with everything up to the next one.
            at_ = std::min(html_.find('<', at_ + 1), html_.size());
            HtmlToken token;
            token.text = html_.substr(start, at_ - start);
            return token;
        }
        if (html_.substr(at_, 4) == "<!--") {
            pass_over("-->");
        } else if (at(1) == '!' || at(1) == '?') {
            pass_over(">");
        } else {
            HtmlToken token = read_tag();
            if (token.kind == HtmlToken::Kind::open &&
                std::find(kRaw.begin(), kRaw.end(), token.name) != kRaw.end()) {
                pass_over_element(token.name);
                continue;
            }
            return token;
        }
    }
    return std::nullopt;
}

void HtmlTokens::pass_over(std::string_view end) {
    const auto found = html_.find(end, at_);
    at_ = found == std::string_view::npos ? html_.size() : found + end.size();
}

void HtmlTokens::pass_over_element(const std::string& name) {
    for (;;) {
        at_ = html_.find("</", at_);
        if (at_ == std::string_view::npos) {
            at_ = html_.size();
            return;
        }
        const auto found = html_.substr(at_ + 2, name.size());
        if (std::equal(found.begin(), found.end(), name.begin(), name.end(),
                       [](char a, char b) { return lower(a) == b; }) &&
            !is_letter(at(2 + name.size()))) {
            pass_over(">");
            return;
        }
        at_ += 2;
    }
}

HtmlToken HtmlTokens::read_tag() {
    HtmlToken token;
    token.kind = at(1) == '/' ? HtmlToken::Kind::close : HtmlToken::Kind::open;
    at_ += token.kind == HtmlToken::Kind::close ? 2 : 1;
    for (; at_ < html_.size() && !is_blank(at(0)) && at(0) != '>' && at(0) != '/'; ++at_)
        token.name += lower(at(0));
    while (at_ < html_.size() && at(0) != '>') {
        if (is_blank(at(0)) || at(0) == '/')
            ++at_;
        else
            read_attribute(token);
    }
    ++at_;
    return token;
}

void HtmlTokens::read_attribute(HtmlToken& token) {
    std::string name;
    do {
        name += lower(at(0));
        ++at_;
    } while (at_ < html_.size() && !is_blank(at(0)) && at(0) != '=' && at(0) != '>' &&
             at(0) != '/');
    while (is_blank(at(0))) ++at_;
    std::string_view value;
    if (at(0) == '=') {
        ++at_;
        while (is_blank(at(0))) ++at_;
        const char quote = at(0);
        const bool quoted = quote == '"' || quote == '\'';
        const std::size_t start = quoted ? at_ + 1 : at_;
        std::size_t end = start;
        if (quoted)
            end = std::min(html_.find(quote, start), html_.size());
        else
            while (end < html_.size() && !is_blank(html_[end]) && html_[end] != '>') ++end;
        value = html_.substr(std::min(start, html_.size()), end - start);
        at_ = std::min(quoted ? end + 1 : end, html_.size());
    }
    if (token.attributes.size() < kMaxAttributes)
        token.attributes.emplace_back(std::move(name), value);
}

}  // namespace http_tool
