#include "actions/text.hpp"

#include <cstdio>
#include <ctime>
#include <sstream>

namespace git {
namespace {

// The length of the UTF-8 character that starts here; 0: invalid.
std::size_t utf8_length(std::string_view rest) {
    const auto lead = static_cast<unsigned char>(rest.front());
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
    if (size == 0 || size > rest.size()) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((static_cast<unsigned char>(rest[i]) & 0xC0) != 0x80) return 0;
    return size;
}

std::string escaped(char c) {
    constexpr std::string_view kNamed = "\a\b\t\n\v\f\r\"\\", kLetters = "abtnvfr\"\\";
    if (const auto at = kNamed.find(c); at != std::string_view::npos) return {'\\', kLetters[at]};
    char octal[5];
    std::snprintf(octal, sizeof octal, "\\%03o",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    return octal;
}

std::string time_text(const git_time& time, const char* format, const char* zone_format) {
    const std::time_t local = static_cast<std::time_t>(time.time) + time.offset * 60;
    std::tm parts{};
    if (::gmtime_r(&local, &parts) == nullptr) return "@" + std::to_string(time.time);
    char text[64], zone[16];
    const int minutes = time.offset < 0 ? -time.offset : time.offset;
    std::snprintf(zone, sizeof zone, zone_format, time.offset < 0 ? '-' : '+', minutes / 60 % 100,
                  minutes % 60);
    const auto size = std::strftime(text, sizeof text, format, &parts);
    return std::string(text, size) + zone;
}

Json* longest_list(Json& object) {
    Json* longest = nullptr;
    for (auto& value : object) {
        if (!value.is_array() || value.empty()) continue;
        if (longest == nullptr || value.size() > longest->size()) longest = &value;
    }
    return longest;
}

}  // namespace

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string out;
    for (const auto& part : parts) {
        if (!out.empty()) out += between;
        out += part;
    }
    return out;
}

std::vector<std::string> words_of(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string first_line_of(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

std::string shown_path(std::string_view path) {
    std::string plain;
    bool quoted = false;
    while (!path.empty()) {
        const auto c = static_cast<unsigned char>(path.front());
        auto size = utf8_length(path);
        if (size == 0 || c < 0x20 || c == 0x7F || c == '"' || c == '\\') {
            plain += escaped(path.front());
            quoted = true;
            size = 1;
        } else {
            plain += path.substr(0, size);
        }
        path.remove_prefix(size);
    }
    return quoted ? '"' + plain + '"' : plain;
}

std::string shown_time(const git_time& time) {
    auto text = time_text(time, "%a %b %e %H:%M:%S %Y ", "%c%02d%02d");
    // git does not pad the day of the month.
    if (const auto pad = text.find("  "); pad != std::string::npos) text.erase(pad, 1);
    return text;
}

std::string iso_time(const git_time& time) {
    return time_text(time, "%Y-%m-%dT%H:%M:%S", "%c%02d:%02d");
}

std::string blame_time(const git_time& time) {
    return time_text(time, "%Y-%m-%d %H:%M:%S ", "%c%02d%02d");
}

std::string_view json_prefix(std::string_view text, std::size_t room) {
    std::size_t end = 0;
    for (std::size_t size = 0; end < text.size(); ++end) {
        const auto c = static_cast<unsigned char>(text[end]);
        const bool is_short = c == '"' || c == '\\' || (c >= '\b' && c <= '\r' && c != '\v');
        size += is_short ? 2 : c < 0x20 ? 6 : 1;
        if (size > room) break;
    }
    // Do not split a character.
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end);
}

// Half for each block; the text may use what the JSON does not need.
void fit(Answer& answer, std::size_t max_chars) {
    const auto size_of = [](const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace).size();
    };
    auto json_size = size_of(answer.details);
    while (json_size > max_chars / 2) {
        Json* list = longest_list(answer.details);
        if (list == nullptr) break;
        const auto keep = list->size() * (max_chars / 2) / json_size;
        list->get_ref<Json::array_t&>().resize(std::min(keep, list->size() - 1));
        answer.truncated = true;
        json_size = size_of(answer.details);
    }
    const auto room = max_chars - std::min(max_chars, json_size);
    if (answer.text.size() <= room) return;
    const auto end = answer.text.rfind('\n', room);
    const auto left_out = answer.text.size() - (end == std::string::npos ? room : end);
    answer.text.resize(end == std::string::npos ? room : end);
    answer.text += "\n[" + std::to_string(left_out) +
                   " more bytes omitted: narrow the request with paths, max_count or name_only]\n";
    answer.truncated = true;
}

}  // namespace git
