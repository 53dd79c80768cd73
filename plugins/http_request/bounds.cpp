#include "bounds.hpp"

#include <algorithm>

namespace http_tool {
namespace {

using nlohmann::json;

constexpr std::size_t kLongest = 4000;
constexpr std::size_t kShortest = 16;
constexpr std::size_t kReadable = 100;
constexpr std::size_t kRoomForNotes = 200;  // notes added by this file
constexpr std::size_t kKey = 16;            // "body" and its punctuation

// In bytes, which are at least as many as characters.
std::size_t size_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace).size();
}

void cut(std::string& text, std::size_t most) {
    if (text.size() <= most) return;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    text.resize(most);
    text += "\u2026";
}

void cut_all(Output& out, std::size_t most) {
    cut(out.reason, most);
    cut(out.url, most);
    for (auto& [name, value] : out.headers) cut(value, most);
    if (out.redirects)
        for (auto& one : *out.redirects) cut(one.url, most);
    if (out.notes)
        for (auto& note : *out.notes) cut(note, std::max(most, kReadable));
}

void add_note(Output& out, const char* note) {
    if (!out.notes) out.notes = std::optional(std::vector<std::string>{});
    out.notes->push_back(note);
}

}  // namespace

// Truncates the least important fields first.
void cut_to_fit(Output& out, std::size_t max_chars) {
    const std::size_t allowed = max_chars - std::min(kRoomForNotes, max_chars / 3);
    auto fits = [&] { return size_of(toolhost::write_json(out)) <= allowed; };
    if (fits()) return;
    for (auto most = std::min(kLongest, allowed / 4); most >= kShortest && !fits(); most /= 2)
        cut_all(out, most);
    if (!fits()) out.headers.clear();
    if (!fits()) out.redirects = std::optional<std::vector<RedirectOut>>();
    if (!fits()) out.notes = std::optional<std::vector<std::string>>();
    add_note(out, "values that are too long were truncated in the JSON block");
}

void set_body(Output& out, const std::string& text, std::optional<json> value,
              std::size_t max_chars) {
    // The text block has it too, so it may be left out here.
    const std::size_t used = size_of(toolhost::write_json(out)) + kKey;
    const std::size_t room = std::min(max_chars / 5 * 3, max_chars - std::min(max_chars, used));
    if (text.size() <= room) {
        if (!value) value = json(text);
        if (size_of(*value) <= room) {
            out.body = std::move(value);
            return;
        }
    }
    add_note(out, "the body is too long for the JSON block; it is in the text block");
}

}  // namespace http_tool
