#include "host/schema/describe.hpp"

#include <algorithm>
#include <utility>

#include "host/base/utf8.hpp"
#include "host/schema/types.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kEllipsis = "…";

// At most `most` whole characters; cut at the first invalid UTF-8.
std::string_view cut(std::string_view text, std::size_t most) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < most && decode_utf8(text, at); ++i) {
    }
    return text.substr(0, at);
}

std::string quote_cut(std::string_view text, std::size_t most) {
    const std::string_view kept = cut(text, most);
    std::string out = Json(std::string(kept)).dump();
    if (kept.size() < text.size()) out.insert(out.size() - 1, kEllipsis);
    return out;
}

// Appends until `out` is full. Returns whether everything was appended.
bool append_preview(std::string& out, const Json& value) {
    if (out.size() >= kPreviewCharacters) {
        out += kEllipsis;
        return false;
    }
    const std::size_t room = kPreviewCharacters - out.size();
    if (const auto* text = value.get_ptr<const Json::string_t*>()) {
        out += quote_cut(*text, room);
        return true;
    }
    if (!value.is_structured()) {
        out += value.dump();
        return true;
    }
    const bool object = value.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (const auto& [key, element] : value.items()) {
        if (!std::exchange(first, false)) out += ',';
        if (object) out += quote_cut(key, room) + ":";
        if (!append_preview(out, element)) return false;
    }
    out += object ? '}' : ']';
    return true;
}

// Edit distance, where a swap of neighbours counts once.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

// Makes "maxResults", "max_results" and "max-results" equal.
std::string fold(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '_' || c == '-' || c == ' ') continue;
        out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

}  // namespace

std::string quote(std::string_view text) {
    return quote_cut(text, kPreviewCharacters);
}

std::string preview(const Json& value) {
    std::string out;
    append_preview(out, value);
    return out;
}

Json short_json(const Json& value) {
    if (value.is_structured() || value.is_binary()) return preview(value);
    const auto* text = value.get_ptr<const std::string*>();
    return text != nullptr && text->size() > kPreviewCharacters ? Json(preview(value)) : value;
}

std::string count_of(std::size_t count, std::string_view singular, std::string_view plural) {
    return std::to_string(count) + " " + std::string(count == 1 ? singular : plural);
}

std::string describe(const Json& value) {
    if (value.is_array()) {
        if (value.empty()) return "an empty array";
        return "an array of " + count_of(value.size(), "item", "items");
    }
    if (const auto* members = value.get_ptr<const Json::object_t*>()) {
        if (members->empty()) return "an empty object";
        std::vector<std::string_view> names;
        for (const auto& [name, member] : *members) {
            names.emplace_back(name);
            if (names.size() > 4) break;  // of a huge object, look at the beginning only
        }
        if (members->size() > 4) return "an object of " + count_of(members->size(), "", "members");
        return "an object with " + list_names(names, 4);
    }
    if (value.is_null()) return "null";
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    return "the " + std::string(type_name(value)) + " " + preview(value);
}

std::string list_names(const std::vector<std::string_view>& names, std::size_t most) {
    std::string out;
    const std::size_t shown = std::min(names.size(), most);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) out += ", ";
        out += quote_cut(names[i], kPreviewCharacters);
    }
    if (names.size() > shown) out += " and " + std::to_string(names.size() - shown) + " more";
    return out;
}

std::vector<std::string_view> closest_names(std::string_view name,
                                            const std::vector<std::string_view>& names) {
    constexpr std::size_t kLongest =
        64;  // longer names are not compared: the distance is quadratic
    if (name.size() > kLongest) return {};
    const std::string folded = fold(name);
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxComparedNames); ++i) {
        if (names[i].size() > kLongest) continue;
        const std::string other = fold(names[i]);
        const std::size_t shorter = std::min(folded.size(), other.size());
        const std::size_t longer = std::max(folded.size(), other.size());
        const std::size_t tolerance = std::max<std::size_t>(1, shorter / 3);
        if (longer - shorter > tolerance) continue;
        const std::size_t edits = distance(folded, other);
        if (edits <= tolerance) near.emplace_back(edits, names[i]);
    }
    std::sort(near.begin(), near.end());
    std::vector<std::string_view> closest;
    for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i) {
        closest.push_back(near[i].second);
    }
    return closest;
}

}  // namespace toolhost::schema
