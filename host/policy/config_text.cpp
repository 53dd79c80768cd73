#include "host/policy/config_text.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/policy/yaml_scalar.hpp"

namespace toolhost::policy {

const Json* ConfigText::list(const std::string& key) const {
    const Json::json_pointer at("/grants" + pointer_step(key));
    return value().contains(at) ? &value().at(at) : nullptr;
}

// Columns count characters; a character of several bytes begins where none is continued.
std::size_t ConfigText::offset_of(const Place& place) const {
    if (place.line < 1) return std::string::npos;
    std::size_t at = 0;
    for (int line = 1; line < place.line; ++line) {
        at = text_.find('\n', at);
        if (at == std::string::npos) return at;
        ++at;
    }
    for (int column = 1; column < place.column && at < text_.size(); ++column) do
            ++at;
        while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    return at;
}

std::size_t ConfigText::value_at(const std::string& pointer) const {
    auto it = document_.places.find(pointer);
    return it == document_.places.end() ? std::string::npos : offset_of(it->second);
}

std::size_t ConfigText::key_at(const std::string& pointer) const {
    auto it = document_.keys.find(pointer);
    return it == document_.keys.end() ? std::string::npos : offset_of(it->second);
}

std::size_t ConfigText::line_start(std::size_t offset) const {
    if (offset == 0) return 0;
    const auto before = text_.rfind('\n', offset - 1);
    return before == std::string::npos ? 0 : before + 1;
}

std::size_t ConfigText::next_line(std::size_t offset) const {
    const auto end = text_.find('\n', offset);
    return end == std::string::npos ? text_.size() : end + 1;
}

std::string_view ConfigText::before(std::size_t offset) const {
    const auto start = line_start(offset);
    return std::string_view(text_).substr(start, offset - start);
}

std::size_t ConfigText::scalar_end(std::size_t offset) const {
    auto at = offset;
    if (has(at, '"')) {
        for (++at; at < text_.size() && text_[at] != '"'; ++at)
            if (text_[at] == '\\') ++at;
        return std::min(at + 1, text_.size());
    }
    if (has(at, '\'')) {
        for (++at; at < text_.size(); ++at) {
            if (text_[at] != '\'') continue;
            if (!has(at + 1, '\'')) break;
            ++at;
        }
        return std::min(at + 1, text_.size());
    }
    at = std::min(text_.find_first_of(",]\r\n", at), text_.size());
    at = std::min(text_.find(" #", offset), at);
    while (at > offset && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
    return at;
}

std::string ConfigText::inserted(std::size_t offset, std::string_view what) const {
    auto out = text_;
    // The last line may lack its end.
    const bool open_line = offset == text_.size() && offset > 0 && text_.back() != '\n';
    out.insert(offset, (open_line ? line_end() : "") + std::string(what));
    return out;
}

std::string ConfigText::erased(std::size_t first, std::size_t last) const {
    auto out = text_;
    out.erase(first, last - first);
    return out;
}

std::string yaml_text(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-";
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos &&
                       word[0] != '-' && word[0] != '=';
    if (plain)
        if (auto read = read_plain_scalar(word); read && read->is_string()) return word;
    return dump(word);  // JSON's quoted text is YAML's
}

std::string yaml_items(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + yaml_text(word);
    return out;
}

}  // namespace toolhost::policy
